// An organization's closed months (those with an invoice), and the ones still to be closed.
import { usd, ZERO_USD } from '@penstock/pricing';
import type { OrganizationScope } from '@penstock/tenancy';
import { type BillingMonth, billingMonthAt, monthsLater } from '../rating/billing-month.ts';
import type { ClosedMonth } from './corrections-of.ts';

/** How far back late usage is still billed, and months that a stopped worker missed are still closed. */
const REACH_MONTHS = 12;

/** The closed months before `month`, with the amounts billed for each. */
export async function readClosedMonths(
  { tx, organizationId }: OrganizationScope,
  month: BillingMonth,
): Promise<(ClosedMonth & { month: BillingMonth })[]> {
  const since = new Date(monthsLater(month, -REACH_MONTHS).startMs);
  const invoices = await tx.invoice.findMany({
    where: { organizationId, kind: 'invoice', periodStart: { gte: since } },
    orderBy: { periodStart: 'asc' },
    select: {
      number: true,
      periodStart: true,
      lines: {
        where: { product: { not: 'credit' } },
        select: { clusterId: true, amountUsd: true, firstHour: true },
      },
    },
  });
  const lines = invoices.flatMap((invoice) => invoice.lines);
  return invoices
    .filter(({ periodStart }) => periodStart.getTime() < month.startMs)
    .map(({ number, periodStart }) => {
      const closed = billingMonthAt(periodStart.getTime());
      const billedUsd = new Map<string, ReturnType<typeof usd>>();
      // The hours of a correction on a later invoice show which month it belongs to.
      for (const { clusterId, amountUsd, firstHour } of lines) {
        if (clusterId === null || firstHour === null) {
          continue;
        }
        if (firstHour.getTime() < closed.startMs || firstHour.getTime() >= closed.endMs) {
          continue;
        }
        billedUsd.set(clusterId, (billedUsd.get(clusterId) ?? ZERO_USD).plus(usd(amountUsd.toFixed())));
      }
      return { month: closed, invoiceNumber: number, billedUsd };
    });
}

/** The months before `month` with usage but no invoice, oldest first. */
export async function readUnbilledMonths(
  { tx, organizationId }: OrganizationScope,
  month: BillingMonth,
): Promise<BillingMonth[]> {
  const earlier = Array.from({ length: REACH_MONTHS }, (_, index) => monthsLater(month, index - REACH_MONTHS));
  const starts = earlier.map(({ startMs }) => new Date(startMs));
  const ends = earlier.map(({ endMs }) => new Date(endMs));
  const rows = await tx.$queryRaw<{ start: Date }[]>`
    SELECT m.start FROM unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) AS m(start, until)
    WHERE EXISTS (SELECT FROM usage_hour u WHERE u.organization_id = ${organizationId} AND u.hour >= m.start AND u.hour < m.until)
      AND NOT EXISTS (SELECT FROM invoice i WHERE i.organization_id = ${organizationId} AND i.kind = 'invoice'
                      AND i.period_start = (m.start AT TIME ZONE 'UTC')::date)
    ORDER BY m.start`;
  return rows.map(({ start }) => billingMonthAt(start.getTime()));
}
