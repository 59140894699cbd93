import { topicConfigs } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** `configs` by Kafka's names; null: back to the default; what is left out stays. */
export const alterTopicConfigsInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  configs: topicConfigs,
});
