// Inputs of the SSO procedures. Client-safe: imports only zod and pure modules.
import { emailDomain, ssoClientId, ssoClientSecret, ssoDefaultRole, ssoIssuer } from '@penstock/identity/inputs';
import { z } from 'zod';

/** Omitted fields stay as they are. A first connection needs its issuer, client and secret. */
export const updateSsoInput = z.object({
  issuer: ssoIssuer.optional(),
  clientId: ssoClientId.optional(),
  clientSecret: ssoClientSecret
    .nullish()
    .meta({ description: 'Stored encrypted and never returned. Null or omitted keeps the current secret.' }),
  defaultRole: ssoDefaultRole.optional().meta({
    description: 'Role for people who sign in for the first time. Defaults to `viewer` for a new connection.',
  }),
  isRequired: z.boolean().optional().meta({
    description:
      'Members with an email address in a verified domain must use single sign-on. Owners with two-factor sign-in can use any sign-in method.',
  }),
});

export const addSsoDomainInput = z.object({ domain: emailDomain });

export const ssoDomainInput = z.object({ domainId: z.uuid() });
