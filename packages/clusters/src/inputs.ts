// Validation rules that forms and the server share. Client-safe: imports only zod.
export {
  type Acl,
  acl,
  aclFilter,
  quotaChange,
  scramVerifier,
  securitySettingsChange,
  userName,
} from './access/access-input.ts';
export {
  agentHost,
  agentKeyAddresses,
  agentKeyLifetimeDays,
  agentKeyName,
  agentKeyNetworks,
  agentKeyScope,
} from './agent-key/agent-key-input.ts';
export {
  clusterCloud,
  clusterMode,
  clusterName,
  clusterRegion,
  defaultPartitions,
  maxUncompressedBatchBytes,
  offsetsRetentionMinutes,
} from './cluster/cluster-input.ts';
export { type TopicConfigDefinition, topicConfigTable } from './topic/topic-config-table.ts';
export { type TopicConfigs, topicConfigs, topicName, topicPartitions } from './topic/topic-input.ts';
export { type TransactionState, transactionStates } from './transaction/transaction-state.ts';
