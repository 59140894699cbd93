// The inputs of mutations, for forms, and what pages and the API agree on. Client-safe: imports only zod and pure modules.
export {
  createAclsInput,
  putUserCredentialInput,
  updateSecuritySettingsInput,
} from './access/inputs.ts';
export { createAgentKeyInput, updateAgentKeyInput } from './agent-key/inputs.ts';
export { createApiKeyInput, rotateApiKeyInput } from './api-key/inputs.ts';
export { auditDomains, exportAuditInput } from './audit/inputs.ts';
export { updateBillingDetailsInput, updateBudgetInput } from './billing/inputs.ts';
export {
  createClusterInput,
  updateClusterInput,
} from './cluster/inputs.ts';
export { resetOffsetsInput } from './group/inputs.ts';
export { createSilenceInput } from './health/inputs.ts';
export { inviteMemberInput } from './invitation/inputs.ts';
export {
  createOrganizationInput,
  setSessionLifetimeInput,
} from './organization/inputs.ts';
export { addSsoDomainInput, updateSsoInput } from './sso/inputs.ts';
export { createTopicInput, updateTopicInput } from './topic/inputs.ts';
export { MAX_BATCH_CALLS, ORGANIZATION_HEADER } from './trpc/dashboard-protocol.ts';
export { updateWebhookInput } from './webhook/inputs.ts';
