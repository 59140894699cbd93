// What people may type, as rules that forms and server share. Client-safe: imports nothing but zod.
export { apiKeyLifetimeDays, apiKeyName, apiKeyOverlapHours } from './api-key/api-key-input.ts';
export { emailAddress, memberRole } from './invitation/invitation-input.ts';
export { organizationName } from './organization/organization-input.ts';
export { emailDomain, ssoClientId, ssoClientSecret, ssoDefaultRole, ssoIssuer } from './sso/sso-input.ts';
