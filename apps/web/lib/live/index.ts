export { ConnectionLine } from './connection-line';
export { LiveClusterProvider, useLiveCluster } from './live-cluster';
export type {
  LiveAgent,
  LiveGroup,
  LiveGroupRow,
  LivePartition,
  LiveSummary,
  LiveTopic,
  LiveTopicRow,
} from './live-view';
export { clusterHealth } from './summaries';
export {
  useLiveAgents,
  useLiveConsumers,
  useLiveGroup,
  useLiveGroups,
  useLivePart,
  useLiveSummary,
  useLiveThroughput,
  useLiveTopic,
  useLiveTopics,
} from './use-live-parts';
export { EVENTS_PER_PAGE } from './use-part-cache';
