import { z } from 'zod';

/** All partitions of one topic. */
export const resetOffsetsInput = z.object({
  clusterId: z.uuid(),
  groupId: z.string().min(1).max(10_000),
  topic: z.string().min(1).max(249),
  to: z.enum(['earliest', 'latest']),
});
