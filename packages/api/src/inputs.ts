// The inputs of mutations, for forms. Client-safe: imports nothing but zod and what is pure.
export { createAgentKeyInput } from './agent-key-router/create-agent-key.types.ts';
export { createApiKeyInput } from './api-key-router/create-api-key.types.ts';
export { exportAuditInput } from './audit-router/list-audit.types.ts';
export { updateBudgetInput } from './billing-router/update-budget.types.ts';
export { updateBillingDetailsInput } from './billing-router/update-details.types.ts';
export { updateWebhookInput } from './billing-router/update-webhook.types.ts';
export { createClusterInput } from './cluster-router/create-cluster.types.ts';
export { deleteClusterInput } from './cluster-router/delete-cluster.types.ts';
export { renameClusterInput } from './cluster-router/rename-cluster.types.ts';
export { updateClusterSettingsInput } from './cluster-router/update-cluster-settings.types.ts';
export { createSilenceInput } from './health-router/create-silence.types.ts';
export { inviteMemberInput } from './invitation-router/invite-member.types.ts';
export { createOrganizationInput } from './organization-router/create-organization.types.ts';
export { deleteOrganizationInput } from './organization-router/delete-organization.types.ts';
export { alterTopicConfigsInput } from './topic-router/alter-topic-configs.types.ts';
export { createTopicInput } from './topic-router/create-topic.types.ts';
export { deleteTopicInput } from './topic-router/delete-topic.types.ts';
