// The inputs of mutations, for forms, and what pages and the API agree on. Client-safe: imports only zod and pure modules.
export {
  createAclsInput,
  putUserCredentialInput,
  setQuotaInput,
  updateSecuritySettingsInput,
} from './access-router/inputs.ts';
export { agentAddressInput, createAgentKeyInput, updateAgentKeyInput } from './agent-key-router/inputs.ts';
export { createApiKeyInput } from './api-key-router/inputs.ts';
export { exportAuditInput } from './audit-router/inputs.ts';
export { updateBillingDetailsInput, updateBudgetInput, updateWebhookInput } from './billing-router/inputs.ts';
export {
  createClusterInput,
  deleteClusterInput,
  renameClusterInput,
  updateClusterSettingsInput,
} from './cluster-router/inputs.ts';
export { resetOffsetsInput } from './group-router/inputs.ts';
export { createSilenceInput } from './health-router/inputs.ts';
export { inviteMemberInput } from './invitation-router/inputs.ts';
export {
  createOrganizationInput,
  deleteOrganizationInput,
  setSessionLifetimeInput,
} from './organization-router/inputs.ts';
export { addSsoDomainInput, createScimTokenInput, updateSsoInput } from './sso-router/inputs.ts';
export { alterTopicConfigsInput, createTopicInput, deleteTopicInput } from './topic-router/inputs.ts';
export { MAX_BATCH_CALLS, ORGANIZATION_HEADER } from './trpc/dashboard-protocol.ts';
