import { z } from 'zod';

export const listEventsInput = z.object({
  clusterId: z.uuid(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
  /** What they are about, e.g. `agent/12`, `zone/a` or `group/orders`; everything by default. */
  subject: z.string().min(1).max(300).optional(),
});
