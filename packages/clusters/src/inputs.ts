// What people may type, as rules that forms and server share. Client-safe: imports nothing but zod.
export { agentKeyName } from './agent-key/agent-key-input.ts';
export { clusterCloud, clusterName, clusterRegion, defaultPartitions } from './cluster/cluster-input.ts';
export { type TopicConfigs, topicConfigs, topicName, topicPartitions } from './topic/topic-input.ts';
