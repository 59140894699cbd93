import { defaultPartitions } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** What is left out stays as it is. */
export const updateClusterSettingsInput = z.object({
  clusterId: z.uuid(),
  autoCreateTopics: z.boolean().optional(),
  defaultPartitions: defaultPartitions.optional(),
  deletionProtection: z.boolean().optional(),
});
