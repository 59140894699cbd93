import { ruleIds } from '@penstock/health';
import { z } from 'zod';

export const createSilenceInput = z.object({
  clusterId: z.uuid(),
  /** Null: every rule. */
  rule: z.enum(ruleIds).nullable(),
  until: z.date('Say until when.'),
  reason: z
    .string()
    .trim()
    .min(1, 'Say why, for whoever finds this later.')
    .max(200, 'A reason has at most 200 characters.'),
});
