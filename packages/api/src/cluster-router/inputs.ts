// Inputs of the cluster procedures. Client-safe: imports only zod and pure modules.
import type { LiveUpdate, WatchedKind } from '@penstock/clusters';
import {
  clusterCloud,
  clusterMode,
  clusterName,
  clusterRegion,
  defaultPartitions,
  maxUncompressedBatchBytes,
  offsetsRetentionMinutes,
} from '@penstock/clusters/inputs';
import { z } from 'zod';

export const createClusterInput = z.object({
  name: clusterName,
  cloud: clusterCloud,
  region: clusterRegion,
  mode: clusterMode.default('standard'),
  autoCreateTopics: z.boolean().default(true),
  defaultPartitions: defaultPartitions.default(12),
  deletionProtection: z.boolean().default(false),
});

/** `confirmation`: the cluster's exact name, typed by the user. */
export const deleteClusterInput = z.object({ clusterId: z.uuid(), confirmation: z.string().max(200) });

export const getClusterInput = z.object({ clusterId: z.uuid() });

export const readLivePartInput = z.object({ clusterId: z.uuid() });

/** Kafka limits topic names to 249 characters; group ids have no limit. */
export const livePartName = z.string().min(1).max(1_000);

export const readNamedLivePartInput = readLivePartInput.extend({ name: livePartName });

export const previewClusterModesInput = z.object({ clusterId: z.uuid() });

export const renameClusterInput = z.object({ clusterId: z.uuid(), name: clusterName });

export const restoreClusterInput = z.object({ clusterId: z.uuid() });

/** Omitted settings stay as they are. */
export const updateClusterSettingsInput = z.object({
  clusterId: z.uuid(),
  mode: clusterMode.optional(),
  autoCreateTopics: z.boolean().optional(),
  defaultPartitions: defaultPartitions.optional(),
  offsetsRetentionMinutes: offsetsRetentionMinutes.optional(),
  maxUncompressedBatchBytes: maxUncompressedBatchBytes.optional(),
  deletionProtection: z.boolean().optional(),
  confirmAgentAddresses: z.boolean().optional(),
  allowAgentAdministration: z.boolean().optional(),
});

export const viewClusterInput = z.object({ clusterId: z.uuid() });

const kinds = [
  'summary',
  'throughput',
  'agents',
  'topics',
  'groups',
  'topic',
  'group',
  'consumers',
  'health',
  'events',
] as const satisfies WatchedKind[];

/** More than any page shows at a time. */
const MAX_PARTS = 16;

export const watchClusterInput = z.object({
  clusterId: z.uuid(),
  /** The parts to subscribe to. */
  parts: z
    .array(z.object({ kind: z.enum(kinds), name: livePartName.optional() }))
    .min(1)
    .max(MAX_PARTS)
    .default([{ kind: 'summary' }]),
  /** Sent by the client itself when it reconnects: the events that it already has. Everything else is sent again. */
  lastEventId: z.string().max(64).nullish(),
});

export type ClusterWatchEvent = LiveUpdate;
