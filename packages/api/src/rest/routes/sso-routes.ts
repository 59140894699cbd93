// Single sign-on through the organization's own provider.
import { lockSsoConnection, type SsoSettings } from '@penstock/identity';
import { notFound } from '@penstock/platform';
import { list, none, one, type Route } from '../route.ts';
import {
  createdScimTokenSchema,
  scimSchema,
  ssoConnectionSchema,
  ssoDomainSchema,
  ssoSchema,
} from '../schemas/sso-schemas.ts';

function connectionOf({ connection }: SsoSettings) {
  if (connection === null) {
    throw notFound('sso connection');
  }
  return connection;
}

export const ssoRoutes: readonly Route[] = [
  one({
    method: 'get',
    path: '/sso',
    id: 'getSso',
    tag: 'Single sign-on',
    summary: 'Get the single sign-on settings, domains and callback URL',
    procedure: 'sso.get',
    schema: ssoSchema,
    select: (sso) => sso,
  }),
  one({
    method: 'get',
    path: '/sso/connection',
    id: 'getSsoConnection',
    tag: 'Single sign-on',
    summary: 'Get the connection to the identity provider',
    procedure: 'sso.get',
    schema: ssoConnectionSchema,
    select: connectionOf,
  }),
  one({
    method: 'patch',
    path: '/sso/connection',
    id: 'updateSsoConnection',
    tag: 'Single sign-on',
    summary: 'Create or update the connection to the identity provider',
    description:
      'Omitted fields don’t change. A new OpenID Connect connection requires `issuer`, `clientId` and `clientSecret`; a SAML connection requires `samlMetadata` or `samlMetadataUrl`. A new issuer or client requires a new secret. Requires a key with the owner role.',
    procedure: 'sso.update',
    example: {
      issuer: 'https://login.example.com',
      clientId: 'penstock',
      clientSecret: 'the secret that your provider shows',
      defaultRole: 'viewer',
      isRequired: false,
    },
    schema: ssoConnectionSchema,
    select: connectionOf,
    current: lockSsoConnection,
  }),
  none({
    method: 'delete',
    path: '/sso/connection',
    id: 'removeSsoConnection',
    tag: 'Single sign-on',
    summary: 'Remove the connection',
    description: 'Members then sign in with their own methods, such as a password or passkey.',
    procedure: 'sso.remove',
  }),
  list({
    method: 'get',
    path: '/sso/domains',
    id: 'listSsoDomains',
    tag: 'Single sign-on',
    summary: 'List email domains with the TXT records that verify them',
    procedure: 'sso.get',
    schema: ssoDomainSchema,
    select: ({ domains }) => domains,
    idOf: ({ id }) => id,
  }),
  one({
    method: 'post',
    path: '/sso/domains',
    id: 'addSsoDomain',
    tag: 'Single sign-on',
    summary: 'Add an email domain',
    description: 'It has no effect until it is verified.',
    procedure: 'sso.addDomain',
    example: { domain: 'example.com' },
    status: 201,
    schema: ssoDomainSchema,
    select: (domain) => domain,
  }),
  one({
    method: 'post',
    path: '/sso/domains/{domainId}/verify',
    id: 'verifySsoDomain',
    tag: 'Single sign-on',
    summary: 'Check the TXT record of a domain and verify the domain',
    procedure: 'sso.verifyDomain',
    schema: ssoDomainSchema,
    select: (domain) => domain,
  }),
  none({
    method: 'delete',
    path: '/sso/domains/{domainId}',
    id: 'removeSsoDomain',
    tag: 'Single sign-on',
    summary: 'Remove a domain',
    procedure: 'sso.removeDomain',
  }),
  one({
    method: 'get',
    path: '/sso/scim',
    id: 'getScim',
    tag: 'Single sign-on',
    summary: 'Get the SCIM endpoint and its tokens',
    procedure: 'sso.scim',
    schema: scimSchema,
    select: (scim) => scim,
  }),
  one({
    method: 'post',
    path: '/sso/scim/tokens',
    id: 'createScimToken',
    tag: 'Single sign-on',
    summary: 'Create a SCIM token',
    description:
      'With it, your provider creates, changes and ends members. A token that exists expires after the overlap.',
    procedure: 'sso.createScimToken',
    example: { lifetimeDays: 365, overlapHours: 24 },
    status: 201,
    schema: createdScimTokenSchema,
    select: (created) => created,
  }),
  none({
    method: 'delete',
    path: '/sso/scim/tokens/{tokenId}',
    id: 'revokeScimToken',
    tag: 'Single sign-on',
    summary: 'Revoke a SCIM token',
    procedure: 'sso.revokeScimToken',
  }),
];
