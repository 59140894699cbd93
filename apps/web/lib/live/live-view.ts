// The live state of a cluster by part, as the server streams it; see packages/clusters, live-parts.
import type { RouterOutputs } from '../trpc';

type Parts = RouterOutputs['cluster'];

export type LiveSummary = Parts['summary'];
export type LiveAgent = Parts['agents'][number];
/** A topic in the topic list. */
export type LiveTopicRow = Parts['topics'][number];
/** A topic with its partitions. */
export type LiveTopic = NonNullable<Parts['topic']>;
export type LivePartition = LiveTopic['partitions'][number];
/** A consumer group in the group list. */
export type LiveGroupRow = Parts['groups'][number];
/** A consumer group with its members and offsets. */
export type LiveGroup = NonNullable<Parts['group']>;
