// The current month's projected cost, based on recent usage.
import { PRICE_BOOKS } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { readUnbilledHours, withoutUnbilled } from '../hold/billable-hours.ts';
import { billingMonthAt } from '../rating/billing-month.ts';
import { expectedUsage } from '../rating/forecast.ts';
import { computeDraft } from './compute-draft.ts';
import { draftOf } from './draft-of.ts';
import type { Forecast } from './invoice.ts';
import { readUsageHours } from './read-usage.ts';

const WINDOW_MS = 7 * DAY_MS;

/** The forecast for the end of the month, with a description of its method. Held and waived writes are no sign of what follows. */
export async function getForecast(scope: Scope): Promise<Forecast> {
  const { tx, organizationId, now } = scope;
  const month = billingMonthAt(now.getTime());
  const range = { startMs: Math.min(month.startMs, now.getTime() - WINDOW_MS), endMs: month.endMs };
  const { billable: hours } = withoutUnbilled(
    await readUsageHours(scope, range),
    await readUnbilledHours(scope, range),
  );
  const running = await tx.virtualCluster.findMany({
    where: { organizationId, deletedAt: null },
    select: { id: true },
  });
  const expected = expectedUsage({
    month: month.month,
    hours,
    nowMs: now.getTime(),
    runningClusterIds: new Set(running.map(({ id }) => id)),
  });
  const soFar = await computeDraft(scope, month);
  const whole = draftOf({
    hours: expected.hours,
    clusterNames: new Map(),
    books: PRICE_BOOKS,
    month: month.month,
    corrections: soFar.corrections,
    creditBalanceUsd: soFar.creditBalanceUsd,
  });
  return {
    month: month.month,
    subtotalUsd: whole.subtotalUsd.toFixed(2),
    creditUsd: whole.creditUsd.toFixed(2),
    totalUsd: whole.totalUsd.toFixed(2),
    soFarUsd: soFar.subtotalUsd.toFixed(2),
    method: expected.method,
  };
}
