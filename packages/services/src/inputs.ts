// What people may type, as rules that forms and server share. Client-safe: imports nothing but zod.
export { agentKeyName } from './agent-key/agent-key-input.ts';
export { apiKeyLifetime_days, apiKeyName, apiKeyOverlap_hours } from './api-key/api-key-input.ts';
export { monthlyAmountUsd, webhookUrl } from './budget/budget-input.ts';
export { clusterCloud, clusterName, clusterRegion, defaultPartitions } from './cluster/cluster-input.ts';
export { emailAddress, memberRole } from './invitation/invitation-input.ts';
export { organizationName } from './organization/organization-input.ts';
export { type BillingDetails, billingDetails } from './payment/billing-details-input.ts';
export { emailDomain, ssoClientId, ssoClientSecret, ssoDefaultRole, ssoIssuer } from './sso/sso-input.ts';
export { type TopicConfigs, topicConfigs, topicName, topicPartitions } from './topic/topic-input.ts';
