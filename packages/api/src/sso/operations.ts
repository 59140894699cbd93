// Single sign-on through the organization’s own provider, and provisioning with SCIM. A client secret can be set, but is never returned.
import * as billing from '@penstock/billing';
import * as identity from '@penstock/identity';
import { apiKeyOverlapHours, provisionedRoles, scimTokenLifetimeDays } from '@penstock/identity/inputs';
import { notFound } from '@penstock/platform';
import * as tenancy from '@penstock/tenancy';
import { z } from 'zod';
import { keyText } from '../operation/cursor.ts';
import { exampleIds, instant } from '../operation/shared-schemas.ts';
import { operations } from '../trpc/operations.ts';
import { addSsoDomainInput, updateSsoInput } from './inputs.ts';

const { list, mutation, query } = operations('Single sign-on');

const connectionExample = {
  protocol: 'oidc',
  saml: null,
  issuer: 'https://login.example.com',
  clientId: 'penstock',
  defaultRole: 'viewer',
  isRequired: false,
  groupsClaim: 'groups',
  groupRoles: [{ group: 'platform-engineers', role: 'admin' }],
  isGroupRequired: false,
  updatedAt: '2026-11-02T09:30:00.000Z',
};

const ssoConnectionSchema = z
  .object({
    protocol: z.enum(['oidc', 'saml']),
    issuer: z.string().meta({ description: 'For SAML, the entity ID of the provider.' }),
    clientId: z.string().meta({ description: 'Empty for SAML.' }),
    saml: z
      .object({
        signOnUrl: z.string(),
        certificates: z.array(
          z.object({ fingerprint: z.string().meta({ description: 'SHA-256.' }), expiresAt: instant }),
        ),
      })
      .nullable()
      .meta({ description: 'What the provider’s SAML metadata says; null for OpenID Connect.' }),
    defaultRole: z.enum(provisionedRoles),
    isRequired: z.boolean(),
    groupsClaim: z.string().meta({ description: 'The claim that lists a person’s groups.' }),
    groupRoles: z
      .array(z.object({ group: z.string(), role: z.enum(provisionedRoles) }))
      .meta({ description: 'The first group that a person is in decides their role, at each sign-in.' }),
    isGroupRequired: z.boolean().meta({ description: 'Whether people who are in none of these groups are refused.' }),
    updatedAt: instant,
  })
  .meta({ id: 'SsoConnection', example: connectionExample });

const domainExample = {
  id: exampleIds.key,
  domain: 'example.com',
  recordName: '_penstock.example.com',
  recordText: 'penstock-verification=Yk3vTq8sLm2nRb5wYk3vTq8sLm2nRb5w',
  verifiedAt: null,
  missingSince: null,
};

const ssoDomainSchema = z
  .object({
    id: z.uuid(),
    domain: z.string(),
    recordName: z.string().meta({ description: 'Name of the TXT record that verifies the domain.' }),
    recordText: z.string().meta({ description: 'Value of the TXT record.' }),
    verifiedAt: instant.nullable(),
    missingSince: instant.nullable().meta({
      description:
        'When the TXT record of a verified domain was first missing. The domain loses its verification after 7 days.',
    }),
  })
  .meta({ id: 'SsoDomain', example: domainExample });

const ssoSchema = z
  .object({
    callbackUrl: z.string().meta({ description: 'Register this as the redirect URI with your provider.' }),
    samlEntityId: z.string().meta({ description: 'Our SAML entity ID and audience, and the URL of our metadata.' }),
    samlConsumerUrl: z.string().meta({ description: 'Our SAML assertion consumer service URL.' }),
    connection: ssoConnectionSchema.nullable(),
    domains: z.array(ssoDomainSchema),
  })
  .meta({
    id: 'Sso',
    example: {
      callbackUrl: 'https://penstock.example.com/api/auth/sso/callback',
      samlEntityId: 'https://penstock.example.com/api/auth/sso/saml/metadata/Zy3Rk0wq5TnB8xVhL2mD1s',
      samlConsumerUrl: 'https://penstock.example.com/api/auth/sso/saml/acs',
      connection: connectionExample,
      domains: [domainExample],
    },
  });

const scimTokenExample = {
  id: exampleIds.key,
  displayPrefix: 'psk_scim_a1B2',
  displayLast4: 'x9Yz',
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: '2027-11-02T09:30:00.000Z',
  lastUsedAt: '2026-11-23T08:15:00.000Z',
  lastErrorAt: null,
  lastError: null,
};

const scimTokenSchema = z
  .object({
    id: z.uuid(),
    displayPrefix: z.string(),
    displayLast4: z.string(),
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: instant.nullable().meta({ description: 'Precise to the minute.' }),
    lastErrorAt: instant.nullable(),
    lastError: z.string().nullable().meta({ description: 'Why the last refused request was refused.' }),
  })
  .meta({ id: 'ScimToken', example: scimTokenExample });

const scimSchema = z
  .object({
    endpointUrl: z.string().meta({ description: 'Enter this at your provider.' }),
    tokens: z.array(scimTokenSchema).meta({ description: 'The active tokens, newest first.' }),
  })
  .meta({
    id: 'Scim',
    example: { endpointUrl: 'https://penstock.example.com/scim/v2', tokens: [scimTokenExample] },
  });

const createdScimTokenSchema = z
  .object({
    token: scimTokenSchema,
    plaintext: z.string().meta({ description: 'The secret. No other response contains it.' }),
  })
  .meta({
    id: 'CreatedScimToken',
    example: { token: scimTokenExample, plaintext: 'psk_scim_a1B2c3D4e5F6g7H8i9J0k1L2m3N4x9Yz_0aBcDe' },
  });

const ssoDomainInput = z.object({ domainId: z.uuid() });

function connectionOf({ connection }: identity.SsoSettings) {
  if (connection === null) {
    throw notFound('sso connection');
  }
  return connection;
}

const createScimTokenInput = z.object({
  lifetimeDays: scimTokenLifetimeDays.meta({ description: 'Days until the token expires.' }),
  overlapHours: apiKeyOverlapHours.meta({ description: 'How long a token that exists keeps working.' }),
});

export const ssoOperations = {
  /** Includes the URLs to register with the provider. */
  get: query({
    access: 'sso:write',
    run: async ({ ctx }) => {
      const { webUrl } = ctx.backend;
      return {
        ...(await ctx.run(identity.getSso)),
        callbackUrl: identity.ssoCallbackUrl(webUrl),
        samlEntityId: identity.samlEntityId(webUrl, ctx.tenant.organizationId),
        samlConsumerUrl: identity.samlConsumerUrl(webUrl),
      };
    },
    rest: ({ one }) =>
      one({
        route: 'GET /sso',
        id: 'getSso',
        summary: 'Get the single sign-on settings, domains and callback URL',
        schema: ssoSchema,
      }),
  }),
  connection: query({
    access: 'sso:write',
    run: async ({ ctx }) => connectionOf(await ctx.run(identity.getSso)),
    rest: ({ one }) =>
      one({
        route: 'GET /sso/connection',
        id: 'getSsoConnection',
        summary: 'Get the connection to the identity provider',
        schema: ssoConnectionSchema,
      }),
  }),
  update: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'sso.update',
    input: updateSsoInput,
    example: {
      issuer: 'https://login.example.com',
      clientId: 'penstock',
      clientSecret: 'the secret that your provider shows',
      defaultRole: 'viewer',
      isRequired: false,
    },
    run: async ({ ctx, input: { samlMetadataUrl, ...input } }) => {
      const { secretBox, outbound } = ctx.backend;
      const tools = { secretBox, policy: outbound };
      // Read before the transaction, which must not wait for a provider.
      const samlMetadata =
        samlMetadataUrl === undefined
          ? input.samlMetadata
          : await identity.fetchSamlMetadata(samlMetadataUrl, tools.policy);
      const { session } = ctx;
      return ctx.run(async (scope) => {
        // An owner without a second factor could not use another sign-in method once it is required.
        const isRequired = (await identity.getSso(scope)).connection?.isRequired === true;
        if (input.isRequired === true && !isRequired && session !== null) {
          const acting = { userId: session.user.id, isSso: session.ssoOrganizationId !== null };
          await identity.requireSecondFactor(scope, acting);
        }
        return identity.updateSso(scope, { ...input, samlMetadata, samlMetadataUrl }, tools);
      });
    },
    rest: ({ one }) =>
      one({
        route: 'PATCH /sso/connection',
        id: 'updateSsoConnection',
        summary: 'Create or update the connection to the identity provider',
        description:
          'Omitted fields don’t change. A new OpenID Connect connection requires `issuer`, `clientId` and `clientSecret`; a SAML connection requires `samlMetadata` or `samlMetadataUrl`. A new issuer or client requires a new secret. Requires a key with the owner role.',
        schema: ssoConnectionSchema,
        select: connectionOf,
        current: identity.lockSsoConnection,
      }),
  }),
  remove: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'sso.remove',
    run: ({ ctx }) => ctx.run(identity.removeSso),
    rest: ({ none }) =>
      none({
        route: 'DELETE /sso/connection',
        id: 'removeSsoConnection',
        summary: 'Remove the connection',
        description: 'Members then sign in with their own methods, such as a password or passkey.',
      }),
  }),
  listDomains: list({
    access: 'sso:write',
    key: z.tuple([keyText]),
    run: ({ ctx, slice }) => ctx.run((scope) => identity.listSsoDomains(scope, slice)),
    keyOf: ({ domain }) => [domain],
    rest: ({ list }) =>
      list({
        route: 'GET /sso/domains',
        id: 'listSsoDomains',
        summary: 'List email domains with the TXT records that verify them',
        schema: ssoDomainSchema,
      }),
  }),
  addDomain: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'sso.add-domain',
    input: addSsoDomainInput,
    example: { domain: 'example.com' },
    run: ({ ctx, input }) => ctx.run((scope) => identity.addSsoDomain(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /sso/domains',
        id: 'addSsoDomain',
        summary: 'Add an email domain',
        description: 'It has no effect until it is verified.',
        status: 201,
        schema: ssoDomainSchema,
      }),
  }),
  verifyDomain: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'sso.verify-domain',
    input: ssoDomainInput,
    run: ({ ctx, input }) => {
      const { backend, tenant, run } = ctx;
      // Runs before the change, because an outcome stored for a repeat is that of the change alone.
      const read: typeof run = (work) =>
        tenancy.inTenant(backend.database, tenant.organizationId, (tx) => work({ ...tenant, tx }));
      return identity.verifySsoDomain({ read, change: run, onVerified: billing.claimCreditsForDomain }, input);
    },
    rest: ({ one }) =>
      one({
        route: 'POST /sso/domains/{domainId}/verify',
        id: 'verifySsoDomain',
        summary: 'Check the TXT record of a domain and verify the domain',
        schema: ssoDomainSchema,
      }),
  }),
  removeDomain: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'sso.remove-domain',
    input: ssoDomainInput,
    run: ({ ctx, input }) => ctx.run((scope) => identity.removeSsoDomain(scope, input)),
    rest: ({ none }) =>
      none({ route: 'DELETE /sso/domains/{domainId}', id: 'removeSsoDomain', summary: 'Remove a domain' }),
  }),
  /** Where the provider provisions members, and with which tokens. */
  scim: query({
    access: 'sso:write',
    run: async ({ ctx }) => ({
      endpointUrl: `${ctx.backend.webUrl}/scim/v2`,
      tokens: await ctx.run(identity.listScimTokens),
    }),
    rest: ({ one }) =>
      one({
        route: 'GET /sso/scim',
        id: 'getScim',
        summary: 'Get the SCIM endpoint and its tokens',
        schema: scimSchema,
      }),
  }),
  createScimToken: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'scim-token.create',
    input: createScimTokenInput,
    example: { lifetimeDays: 365, overlapHours: 24 },
    run: ({ ctx, input }) => ctx.run((scope) => identity.createScimToken(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /sso/scim/tokens',
        id: 'createScimToken',
        summary: 'Create a SCIM token',
        description:
          'With it, your provider creates, changes and ends members. A token that exists expires after the overlap.',
        status: 201,
        schema: createdScimTokenSchema,
      }),
  }),
  revokeScimToken: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'scim-token.revoke',
    input: z.object({ tokenId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => identity.revokeScimToken(scope, input)),
    rest: ({ none }) =>
      none({ route: 'DELETE /sso/scim/tokens/{tokenId}', id: 'revokeScimToken', summary: 'Revoke a SCIM token' }),
  }),
};
