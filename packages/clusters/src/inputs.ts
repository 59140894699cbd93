// Validation rules that forms and the server share. Client-safe: imports only zod.
export { agentKeyName } from './agent-key/agent-key-input.ts';
export { clusterCloud, clusterName, clusterRegion, defaultPartitions } from './cluster/cluster-input.ts';
export { type TopicConfigs, topicConfigs, topicName, topicPartitions } from './topic/topic-input.ts';
