// Inputs of the topic procedures. Client-safe: imports only zod and pure modules.
import { topicConfigs, topicName, topicPartitions } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** `configs` by Kafka's names. Null restores the default; an omitted config stays as it is. */
export const alterTopicConfigsInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  configs: topicConfigs,
});

export const createBrowseTokenInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
});

/** `partitions` -1: the cluster's default. */
export const createTopicInput = z.object({
  clusterId: z.uuid(),
  name: topicName,
  partitions: topicPartitions.default(-1),
});

export const listTopicConfigsInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
});

/** `confirmation`: the topic's exact name, typed by the user. */
export const deleteTopicInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  confirmation: z.string().max(249),
});
