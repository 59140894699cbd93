// Finds the months that the worker must close: ended, with usage, and without an invoice.
import type { Database } from '@penstock/database/client';
import { billingMonthAt, monthsLater } from '../rating/billing-month.ts';
import { FINALIZATION_DELAY_MS } from './month-input.ts';

/** After a long outage, the worker closes at most this many months. */
const REACH_MONTHS = 12;

/**
 * By organization, oldest month first. After an organization's last invoice, its next month is checked once more, so
 * that usage that was counted late is billed even if the organization has stopped using the product.
 */
export async function monthsToFinalize(
  database: Database,
  now: Date,
): Promise<{ organizationId: string; month: string }[]> {
  const newest = monthsLater(billingMonthAt(now.getTime() - FINALIZATION_DELAY_MS), -1);
  const months = Array.from({ length: REACH_MONTHS }, (_, index) => monthsLater(newest, index - REACH_MONTHS + 1));
  const starts = months.map(({ startMs }) => new Date(startMs));
  const ends = months.map(({ endMs }) => new Date(endMs));
  const rows = await database.$queryRaw<{ organization_id: string; start: Date }[]>`
    SELECT o.id AS organization_id, m.start FROM organization o
    CROSS JOIN unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) AS m(start, until)
    WHERE NOT EXISTS (SELECT FROM invoice i WHERE i.organization_id = o.id AND i.kind = 'invoice'
                      AND i.period_start = (m.start AT TIME ZONE 'UTC')::date)
      AND (EXISTS (SELECT FROM usage_hour u WHERE u.organization_id = o.id AND u.hour >= m.start AND u.hour < m.until)
        OR (m.start = ${new Date(newest.startMs)} AND EXISTS (
              SELECT FROM invoice i WHERE i.organization_id = o.id AND i.kind = 'invoice'
              AND i.period_start = ${new Date(monthsLater(newest, -1).startMs)}::date)))
    ORDER BY o.id, m.start`;
  return rows.map((row) => ({
    organizationId: row.organization_id,
    month: billingMonthAt(row.start.getTime()).month,
  }));
}
