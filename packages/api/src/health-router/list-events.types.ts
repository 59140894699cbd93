import { z } from 'zod';

export const listEventsInput = z.object({
  clusterId: z.uuid(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
});
