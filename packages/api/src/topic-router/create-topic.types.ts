import { topicName, topicPartitions } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** `partitions` -1: the cluster's default. */
export const createTopicInput = z.object({
  clusterId: z.uuid(),
  name: topicName,
  partitions: topicPartitions.default(-1),
});
