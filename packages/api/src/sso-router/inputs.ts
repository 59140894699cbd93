// Inputs of the sso procedures. Client-safe: imports nothing but zod and what is pure.
import { emailDomain, ssoClientId, ssoClientSecret, ssoDefaultRole, ssoIssuer } from '@penstock/identity/inputs';
import { z } from 'zod';

/** What is left out stays as it is; a first connection needs its issuer, client and secret. */
export const updateSsoInput = z.object({
  issuer: ssoIssuer.optional(),
  clientId: ssoClientId.optional(),
  clientSecret: ssoClientSecret
    .nullish()
    .meta({ description: 'Kept sealed and never answered. Null or left out keeps the one that is there.' }),
  defaultRole: ssoDefaultRole
    .optional()
    .meta({ description: 'Of whoever comes for the first time. `viewer` for a first connection that names none.' }),
  isRequired: z.boolean().optional().meta({
    description:
      'Members whose address has a verified domain come in by the provider alone. Owners keep every way, so that nobody is locked out.',
  }),
});

export const addSsoDomainInput = z.object({ domain: emailDomain });

export const ssoDomainInput = z.object({ domainId: z.uuid() });
