// Inputs of the health procedures. Client-safe: imports only zod and pure modules.
import { ruleIds } from '@penstock/health';
import { z } from 'zod';

export const chooseRecipientInput = z.object({ userId: z.string().min(1).max(100), isTold: z.boolean() });

export const createSilenceInput = z.object({
  clusterId: z.uuid(),
  /** Null for every rule. */
  rule: z.enum(ruleIds).nullable(),
  until: z.date('Enter an end time.'),
  reason: z.string().trim().min(1, 'Enter a reason. Other members can see it.').max(200, 'Use at most 200 characters.'),
});

export const endSilenceInput = z.object({ silenceId: z.uuid() });

export const exportMetricsInput = z.object({ clusterId: z.uuid() });

export const getHealthInput = z.object({ clusterId: z.uuid() });

export const listEventsInput = z.object({
  clusterId: z.uuid(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
  /** Filters events by subject, e.g. `agent/12`, `zone/a` or `group/orders`; all by default. */
  subject: z.string().min(1).max(300).optional(),
});
