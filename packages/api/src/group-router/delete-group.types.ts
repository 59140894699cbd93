import { z } from 'zod';

/** `confirmation`: the group's exact id, typed by the person. */
export const deleteGroupInput = z.object({
  clusterId: z.uuid(),
  groupId: z.string().min(1).max(10_000),
  confirmation: z.string().max(10_000),
});
