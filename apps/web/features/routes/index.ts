export { type ClusterSectionName, clusterPath } from './cluster-path';
