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

/** Omitted fields stay as they are. */
export const updateClusterInput = z.object({
  clusterId: z.uuid(),
  name: clusterName.optional(),
  mode: clusterMode.optional(),
  autoCreateTopics: z.boolean().optional(),
  defaultPartitions: defaultPartitions.optional(),
  offsetsRetentionMinutes: offsetsRetentionMinutes.optional(),
  maxUncompressedBatchBytes: maxUncompressedBatchBytes.optional(),
  deletionProtection: z.boolean().optional(),
  confirmAgentAddresses: z.boolean().optional(),
  allowAgentAdministration: z.boolean().optional(),
});
