import { emailDomain, ssoClientId, ssoClientSecret, ssoDefaultRole, ssoIssuer } from '@penstock/services/inputs';
import { z } from 'zod';

export const updateSsoInput = z.object({
  issuer: ssoIssuer,
  clientId: ssoClientId,
  /** Null keeps the one that is there. */
  clientSecret: ssoClientSecret.nullable(),
  defaultRole: ssoDefaultRole,
  isRequired: z.boolean(),
});

export const addSsoDomainInput = z.object({ domain: emailDomain });

export const ssoDomainInput = z.object({ domainId: z.uuid() });
