import { z } from 'zod';

/** `confirmation`: the topic's exact name, typed by the person. */
export const deleteTopicInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  confirmation: z.string().max(249),
});
