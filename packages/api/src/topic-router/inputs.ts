// Inputs of the topic procedures. Client-safe: imports nothing but zod and what is pure.
import { topicConfigs, topicName, topicPartitions } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** `configs` by Kafka's names; null: back to the default; what is left out stays. */
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

/** `confirmation`: the topic's exact name, typed by the person. */
export const deleteTopicInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  confirmation: z.string().max(249),
});
