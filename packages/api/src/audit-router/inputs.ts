// Inputs of the audit procedures. Client-safe: imports nothing but zod and what is pure.
import type { AuditFilter } from '@penstock/tenancy';
import { z } from 'zod';

const instant = z.iso
  .datetime({ offset: true, error: 'Give a time like 2026-11-21T15:00:00Z.' })
  .refine((text) => text >= '1970' && text < '3000', 'Give a year from 1970 to 2999.');

/** PostgreSQL holds no text with a NUL in it, so nothing there can match one. */
const searched = z
  .string()
  .trim()
  .min(1)
  .refine((text) => !text.includes('\0'), 'Leave the character NUL out.');

/** Which rows. What is left out bounds nothing. */
const auditFilter = z.object({
  actor: searched
    .max(200)
    .optional()
    .meta({ description: 'A part of the name or e-mail address of whoever acted, or their exact id.' }),
  action: z
    .string()
    .regex(/^[a-z-]{1,40}(\.[a-z-]{1,40})?$/, 'Give an action like cluster.rename, or its first part alone.')
    .optional()
    .meta({ description: '`cluster.rename`, or `cluster` for all that is done to clusters.' }),
  targetType: z
    .string()
    .regex(/^[a-z-]{1,40}$/, 'Give a sort of target like cluster.')
    .optional()
    .meta({ description: 'What sort of thing was changed, e.g. `cluster`.' }),
  target: searched.max(300).optional().meta({ description: 'The exact id of what was changed.' }),
  source: z.enum(['web', 'api', 'worker', 'seed']).optional().meta({ description: 'The door that it came through.' }),
  from: instant.optional().meta({ description: 'The earliest time, RFC 3339.' }),
  to: instant.optional().meta({ description: 'The time before which, RFC 3339.' }),
});

export const listAuditInput = auditFilter.extend({
  cursor: z.uuid().optional(),
  limit: z.number().int().min(1).max(100).default(50),
});

export const exportAuditInput = auditFilter.extend({
  format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .meta({ description: 'One JSON object per line, or CSV after RFC 4180.' }),
});

/** Times come as text, since addresses hold nothing else. */
export function withTimes<T extends z.infer<typeof auditFilter>>(
  input: T,
): Omit<T, 'from' | 'to'> & Pick<AuditFilter, 'from' | 'to'> {
  const { from, to } = input;
  return {
    ...input,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}
