export { agentPath, type ClusterSectionName, clusterPath, topicMessagesPath, topicPath } from './cluster-path';
