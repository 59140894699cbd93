// Schemas of single sign-on in the public API. A client secret can be set, but is never returned.
import { provisionedRoles } from '@penstock/identity/inputs';
import { z } from 'zod';
import { exampleIds, instant } from './common.ts';

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

export const ssoConnectionSchema = z
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

export const ssoDomainSchema = z
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

export const ssoSchema = z
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

export const scimTokenSchema = z
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

export const scimSchema = z
  .object({
    endpointUrl: z.string().meta({ description: 'Enter this at your provider.' }),
    tokens: z.array(scimTokenSchema).meta({ description: 'The active tokens, newest first.' }),
  })
  .meta({
    id: 'Scim',
    example: { endpointUrl: 'https://penstock.example.com/scim/v2', tokens: [scimTokenExample] },
  });

export const createdScimTokenSchema = z
  .object({
    token: scimTokenSchema,
    plaintext: z.string().meta({ description: 'The secret. No other response contains it.' }),
  })
  .meta({
    id: 'CreatedScimToken',
    example: { token: scimTokenExample, plaintext: 'psk_scim_a1B2c3D4e5F6g7H8i9J0k1L2m3N4x9Yz_0aBcDe' },
  });
