import { z } from 'zod';

export const listAuditInput = z.object({
  cursor: z.uuid().optional(),
  limit: z.number().int().min(1).max(100).default(50),
});
