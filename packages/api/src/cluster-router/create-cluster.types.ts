import { clusterCloud, clusterName, clusterRegion, defaultPartitions } from '@penstock/clusters/inputs';
import { z } from 'zod';

export const createClusterInput = z.object({
  name: clusterName,
  cloud: clusterCloud,
  region: clusterRegion,
  autoCreateTopics: z.boolean().default(true),
  defaultPartitions: defaultPartitions.default(12),
  deletionProtection: z.boolean().default(false),
});
