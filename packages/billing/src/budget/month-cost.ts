// What the running month has cost so far: what budgets and caps are held against. Usage at list price, before credits, so that a
// grant does not hide a runaway producer.
import { PRICE_BOOKS, sumUsd, type Usd } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { readUsageHours } from '../invoice/read-usage.ts';
import { billingMonthAt } from '../rating/billing-month.ts';
import { rateMonth } from '../rating/rate-month.ts';

/** The sum of the running draft's lines of usage. Corrections of earlier months are left out: no write of this month caused them. */
export async function monthCostUsd(scope: Scope): Promise<Usd> {
  const month = billingMonthAt(scope.now.getTime());
  const hours = await readUsageHours(scope, month);
  const lines = rateMonth({ hours, clusterNames: new Map(), books: PRICE_BOOKS, month: month.month });
  return sumUsd(lines.map((line) => line.amountUsd));
}
