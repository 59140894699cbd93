// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { emailDomain, ssoConnection } from '@penstock/identity/inputs';
import { z } from 'zod';

const { shape } = ssoConnection;

/** Omitted fields stay as they are. A first connection needs its issuer, client and secret. */
export const updateSsoInput = z.object({
  protocol: z.enum(['oidc', 'saml']).optional().meta({
    description: 'Defaults to `oidc` for a new connection.',
  }),
  samlMetadata: shape.samlMetadata.optional().meta({
    description: 'For SAML: the provider’s metadata XML. Omitted keeps the current provider.',
  }),
  samlMetadataUrl: shape.samlMetadataUrl.optional().meta({
    description:
      'For SAML: where to read the metadata, instead of `samlMetadata`. Read again each day for new certificates.',
  }),
  issuer: shape.issuer.optional(),
  clientId: shape.clientId.optional(),
  clientSecret: shape.clientSecret
    .nullish()
    .meta({ description: 'Stored encrypted and never returned. Null or omitted keeps the current secret.' }),
  defaultRole: shape.defaultRole.optional().meta({
    description: 'Role for people who sign in for the first time. Defaults to `viewer` for a new connection.',
  }),
  isRequired: z.boolean().optional().meta({
    description:
      'Members with an email address in a verified domain must use single sign-on. Owners with two-factor sign-in can use any sign-in method. To turn it on, a connection test with the current settings must have passed on the Organization page.',
  }),
  groupsClaim: shape.groupsClaim.optional().meta({
    description: 'The claim that lists a person’s groups. Defaults to `groups` for a new connection.',
  }),
  groupRoles: shape.groupRoles.optional().meta({
    description:
      'Roles by groups. At each sign-in, the first group in this list that the person is in decides their role. Owners keep theirs. Empty: roles are assigned here.',
  }),
  isGroupRequired: z.boolean().optional().meta({
    description: 'Refuse people who are in none of these groups, instead of giving them `defaultRole`.',
  }),
});

export const addSsoDomainInput = z.object({ domain: emailDomain });
