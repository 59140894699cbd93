import { z } from 'zod';

/** `invoice`: an id, or `draft` for the running month. */
export const getLineOriginInput = z.object({
  invoice: z.string().max(100),
  position: z.number().int().min(1).max(1_000_000),
});
