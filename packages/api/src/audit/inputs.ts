// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { billingAudit } from '@penstock/billing/audit-actions';
import { clustersAudit } from '@penstock/clusters/audit-actions';
import { identityAudit } from '@penstock/identity/audit-actions';
import { lifecycleAudit } from '@penstock/lifecycle/audit-actions';
import { tenancyAudit } from '@penstock/tenancy/audit-actions';
import { z } from 'zod';

const rfc3339 = z.iso
  .datetime({ offset: true, error: 'Use a time such as 2026-11-21T15:00:00Z.' })
  .refine((text) => text >= '1970' && text < '3000', 'Use a year from 1970 to 2999.');

/** Rejects NUL: PostgreSQL's text cannot contain it, so nothing would match. */
const searched = z
  .string()
  .trim()
  .min(1)
  .refine((text) => !text.includes('\0'), 'Remove the NUL character.');

/** Filters rows. An omitted field does not filter. */
export const auditFilter = z.object({
  actor: searched
    .max(200)
    .optional()
    .meta({ description: 'Part of the actor’s name or email address, or the exact actor ID.' }),
  action: z
    .string()
    .regex(/^[a-z-]{1,40}(\.[a-z-]{1,40})?$/, 'Use an action such as cluster.rename, or only its first part.')
    .optional()
    .meta({ description: 'An action such as `cluster.rename`, or `cluster` for all actions on clusters.' }),
  targetType: z
    .string()
    .regex(/^[a-z-]{1,40}$/, 'Use a target type such as cluster.')
    .optional()
    .meta({ description: 'Type of the changed object, such as `cluster`.' }),
  target: searched.max(300).optional().meta({ description: 'Exact ID of the changed object.' }),
  source: z
    .enum(['web', 'api', 'kafka', 'worker', 'seed'])
    .optional()
    .meta({ description: 'Where the change came from.' }),
  from: rfc3339.optional().meta({ description: 'Start time, inclusive (RFC 3339).' }),
  to: rfc3339.optional().meta({ description: 'End time, exclusive (RFC 3339).' }),
});

export const exportAuditInput = auditFilter.extend({
  format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .meta({ description: '`ndjson` for one JSON object per line, or `csv` (RFC 4180).' }),
});

/** The audited actions with their words, by the domain that writes them. */
export const auditDomains = [tenancyAudit, identityAudit, clustersAudit, billingAudit, lifecycleAudit] as const;
