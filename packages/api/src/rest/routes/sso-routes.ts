// How members of the organization sign in through its own OpenID provider.
import { lockSsoConnection, type SsoSettings } from '@penstock/identity';
import { notFound } from '@penstock/platform';
import { list, none, one, type Route } from '../route.ts';
import { ssoConnectionSchema, ssoDomainSchema, ssoSchema } from '../schemas/sso-schemas.ts';

function connectionOf({ connection }: SsoSettings) {
  if (connection === null) throw notFound('sso connection');
  return connection;
}

export const ssoRoutes: readonly Route[] = [
  one({
    method: 'get',
    path: '/sso',
    id: 'getSso',
    tag: 'Single sign-on',
    summary: 'The connection to the OpenID provider, the domains, and the callback URL to register',
    procedure: 'sso.get',
    schema: ssoSchema,
    select: (sso) => sso,
  }),
  one({
    method: 'get',
    path: '/sso/connection',
    id: 'getSsoConnection',
    tag: 'Single sign-on',
    summary: 'The connection to the OpenID provider',
    procedure: 'sso.get',
    schema: ssoConnectionSchema,
    select: connectionOf,
  }),
  one({
    method: 'patch',
    path: '/sso/connection',
    id: 'updateSsoConnection',
    tag: 'Single sign-on',
    summary: 'Sets the connection to the OpenID provider, or makes it; what is left out stays',
    description:
      'A first connection needs `issuer`, `clientId` and `clientSecret`, and another issuer or client its own secret. Needs a key with the role owner.',
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
    summary: 'Removes the connection; members go on with sign-ins of their own',
    procedure: 'sso.remove',
  }),
  list({
    method: 'get',
    path: '/sso/domains',
    id: 'listSsoDomains',
    tag: 'Single sign-on',
    summary: 'E-mail domains with the TXT records that prove them',
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
    summary: 'Claims an e-mail domain; nothing follows from it before it is verified',
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
    summary: 'Looks for the TXT record of a domain, and verifies it when it is there',
    procedure: 'sso.verifyDomain',
    schema: ssoDomainSchema,
    select: (domain) => domain,
  }),
  none({
    method: 'delete',
    path: '/sso/domains/{domainId}',
    id: 'removeSsoDomain',
    tag: 'Single sign-on',
    summary: 'Gives a domain up',
    procedure: 'sso.removeDomain',
  }),
];
