// An organization's closed months (those with an invoice), and the ones still to be closed.
import { type Usd, usd, ZERO_USD } from '@penstock/pricing';
import type { OrganizationScope } from '@penstock/tenancy';
import { type BillingMonth, billingMonthAt, monthsLater } from '../rating/billing-month.ts';
import type { ClosedMonth } from './corrections-of.ts';

/** How far back late usage is still billed, and months that a stopped worker missed are still closed. */
const REACH_MONTHS = 12;

/** A closed month whose usage has changed since. */
export interface ChangedMonth extends ClosedMonth {
  month: BillingMonth;
  /** How often its usage has changed. A higher number later shows that it changed again. */
  changes: bigint;
}

/**
 * The closed months before `month` whose usage has changed since they were closed, with the amounts billed for each.
 * Other closed months need no reading: rated again, they cost what was billed.
 */
export async function readChangedMonths(
  { tx, organizationId }: OrganizationScope,
  month: BillingMonth,
): Promise<ChangedMonth[]> {
  const since = new Date(monthsLater(month, -REACH_MONTHS).startMs);
  const changed = await tx.lateUsage.findMany({
    where: { organizationId, month: { gte: since, lt: new Date(month.startMs) } },
    orderBy: { month: 'asc' },
    select: { month: true, changes: true },
  });
  if (changed.length === 0) {
    return [];
  }
  const months = changed.map(({ month: start, changes }) => ({ month: billingMonthAt(start.getTime()), changes }));
  const invoices = await tx.invoice.findMany({
    where: { organizationId, kind: 'invoice', periodStart: { in: changed.map(({ month: start }) => start) } },
    select: { number: true, periodStart: true },
  });
  const numbers = new Map(invoices.map(({ number, periodStart }) => [periodStart.getTime(), number]));
  // The hours of a correction on a later invoice show which month it belongs to.
  const lines = await tx.invoiceLine.findMany({
    where: {
      invoice: { organizationId, kind: 'invoice', periodStart: { gte: since } },
      product: { not: 'credit' },
      OR: months.map(({ month: { startMs, endMs } }) => ({
        firstHour: { gte: new Date(startMs), lt: new Date(endMs) },
      })),
    },
    select: { clusterId: true, amountUsd: true, firstHour: true },
  });
  return months.flatMap(({ month: closed, changes }): ChangedMonth[] => {
    const invoiceNumber = numbers.get(closed.startMs);
    if (invoiceNumber === undefined) {
      return [];
    }
    const billedUsd = new Map<string, Usd>();
    for (const { clusterId, amountUsd, firstHour } of lines) {
      const atMs = firstHour?.getTime() ?? Number.NaN;
      if (clusterId !== null && atMs >= closed.startMs && atMs < closed.endMs) {
        billedUsd.set(clusterId, (billedUsd.get(clusterId) ?? ZERO_USD).plus(usd(amountUsd.toFixed())));
      }
    }
    return [{ month: closed, changes, invoiceNumber, billedUsd }];
  });
}

/** Forgets months whose corrections an invoice has settled, unless their usage has changed again meanwhile. */
export async function forgetChangedMonths(
  { tx, organizationId }: OrganizationScope,
  settled: readonly Pick<ChangedMonth, 'month' | 'changes'>[],
): Promise<void> {
  for (const { month, changes } of settled) {
    await tx.lateUsage.deleteMany({ where: { organizationId, month: new Date(month.startMs), changes } });
  }
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
