// The inputs of mutations, for forms, and what pages and the API agree on. Client-safe: imports only zod and pure modules.
export {
  createAclsInput,
  putUserCredentialInput,
} from './access/inputs.ts';
export { createAgentKeyInput, updateAgentKeyInput } from './agent-key/inputs.ts';
export { createApiKeyInput } from './api-key/inputs.ts';
export { exportAuditInput } from './audit/inputs.ts';
export { updateBillingDetailsInput, updateBudgetInput } from './billing/inputs.ts';
export {
  createClusterInput,
  renameClusterInput,
  updateClusterSettingsInput,
} from './cluster/inputs.ts';
export { resetOffsetsInput } from './group/inputs.ts';
export { createSilenceInput } from './health/inputs.ts';
export { inviteMemberInput } from './invitation/inputs.ts';
export {
  createOrganizationInput,
  setSessionLifetimeInput,
} from './organization/inputs.ts';
export { addSsoDomainInput, updateSsoInput } from './sso/inputs.ts';
export { alterTopicConfigsInput, createTopicInput } from './topic/inputs.ts';
export { MAX_BATCH_CALLS, ORGANIZATION_HEADER } from './trpc/dashboard-protocol.ts';
export { updateWebhookInput } from './webhook/inputs.ts';
