// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { topicConfigs, topicName, topicPartitions } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** `configs` by Kafka's names. Null restores the default; an omitted config stays as it is. */
export const updateTopicInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  configs: topicConfigs,
});

/** `partitions` -1: the cluster's default. */
export const createTopicInput = z.object({
  clusterId: z.uuid(),
  name: topicName,
  partitions: topicPartitions.default(-1),
});
