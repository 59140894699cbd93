// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { ruleIds } from '@penstock/health';
import { z } from 'zod';

export const createSilenceInput = z.object({
  clusterId: z.uuid(),
  /** Null for every rule. */
  rule: z.enum(ruleIds).nullable(),
  until: z.date('Enter an end time.'),
  reason: z.string().trim().min(1, 'Enter a reason. Other members can see it.').max(200, 'Use at most 200 characters.'),
});
