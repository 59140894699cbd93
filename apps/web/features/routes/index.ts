export { agentPath, type ClusterSectionName, clusterPath } from './cluster-path';
