// The settings of a virtual cluster that its agents need.
import { MINUTE_MS } from '@penstock/units';
import type { ClientMetrics } from './client-metrics.ts';
import { DEFAULT_OFFSETS_RETENTION_MINUTES, FORMER_MAX_UNCOMPRESSED_BATCH_BYTES } from './limits.ts';

/** The kind of cluster, which decides the price of a cluster-minute. */
export const CLUSTER_MODES = ['standard', 'dev', 'low-latency'] as const;
export type ClusterMode = (typeof CLUSTER_MODES)[number];

export interface ClusterSettings {
  /** Whether a client's Metadata request creates the topics that it names. */
  autoCreateTopics: boolean;
  /** Partitions of a topic that is created without a number; at least 1. */
  defaultPartitions: number;
  /** Set when the spending cap is reached: agents answer Produce with POLICY_VIOLATION. */
  writesRefused: boolean;
  /** The reason, for the error message to clients; at most 1,000 characters. */
  writesRefusedReason: string;
  /** Each cluster-minute is metered in the mode at the time when it is marked. */
  mode: ClusterMode;
  /** Same as Kafka's offsets.retention.minutes. */
  offsetsRetentionMinutes: number;
  clientMetrics: ClientMetrics;
  /**
   * Maximum decompressed size of a batch in topics without max.uncompressed.batch.bytes, in bytes without the header.
   */
  maxUncompressedBatchBytes: number;
}

/** The settings that the control plane sets, and that the head of a snapshot holds. */
export type EarlySettings = Omit<
  ClusterSettings,
  'offsetsRetentionMinutes' | 'clientMetrics' | 'maxUncompressedBatchBytes'
>;

/** How long a committed offset is kept without use. */
export function offsetsRetentionMs({ offsetsRetentionMinutes }: ClusterSettings): number {
  return offsetsRetentionMinutes * MINUTE_MS;
}

/** The settings of a cluster before its first entry. */
export const INITIAL_SETTINGS: ClusterSettings = {
  autoCreateTopics: true,
  defaultPartitions: 1,
  writesRefused: false,
  writesRefusedReason: '',
  mode: 'standard',
  offsetsRetentionMinutes: DEFAULT_OFFSETS_RETENTION_MINUTES,
  clientMetrics: new Map(),
  maxUncompressedBatchBytes: FORMER_MAX_UNCOMPRESSED_BATCH_BYTES,
};
