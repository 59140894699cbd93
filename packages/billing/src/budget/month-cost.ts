// The cost of the current month so far, which budgets and caps are compared with. Usage at list price, before credits,
// so that a grant does not hide a runaway producer.
import { PRICE_BOOKS, sumUsd, type Usd } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { readUsageHours } from '../invoice/read-usage.ts';
import { billingMonthAt } from '../rating/billing-month.ts';
import { rateMonth } from '../rating/rate-month.ts';

/** The sum of the draft's usage lines. Excludes corrections of earlier months, which no write of this month caused. */
export async function monthCostUsd(scope: Scope): Promise<Usd> {
  const month = billingMonthAt(scope.now.getTime());
  const hours = await readUsageHours(scope, month);
  const lines = rateMonth({ hours, clusterNames: new Map(), books: PRICE_BOOKS, month: month.month });
  return sumUsd(lines.map((line) => line.amountUsd));
}
