// The live state of a cluster as the server sends it; see packages/services, cluster-view.
import type { ClusterWatchEvent } from '@penstock/api';

export type LiveView = Extract<ClusterWatchEvent, { state: 'live' }>['view'];
export type LiveAgent = LiveView['agents'][number];
export type LiveTopic = LiveView['topics'][number];
export type LivePartition = LiveTopic['partitions'][number];
export type LiveGroup = LiveView['groups'][number];
