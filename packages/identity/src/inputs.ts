// Validation rules that forms and the server share. Client-safe: imports only zod.
export { apiKeyLifetimeDays, apiKeyName, apiKeyOverlapHours } from './api-key/api-key-input.ts';
export { CONFIRMATION_HEADER } from './auth/confirmation-header.ts';
export { emailAddress, memberRole } from './invitation/invitation-input.ts';
export { clusterRoleEntries } from './member/cluster-roles-input.ts';
export { organizationName } from './organization/organization-input.ts';
export { MAX_SESSION_DAYS, sessionDays } from './organization/session-lifetime-input.ts';
export { scimTokenLifetimeDays } from './scim/scim-input.ts';
export { type ProvisionedRole, parseProvisionedRole, provisionedRoles } from './sso/provisioned-roles.ts';
export { emailDomain, ssoConnection } from './sso/sso-input.ts';
