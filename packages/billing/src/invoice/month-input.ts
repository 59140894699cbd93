// Parses the month of a request.
import { AppError } from '@penstock/platform';
import { DAY_MS } from '@penstock/units';
import { type BillingMonth, billingMonth, billingMonthAt } from '../rating/billing-month.ts';

/** How long after its end a month becomes final, so that late usage can still be counted. */
export const FINALIZATION_DELAY_MS = DAY_MS;

/**
 * @param month e.g. `2026-11`; the current month if omitted
 * @throws AppError `month_invalid`, `month_in_future`
 */
export function readMonth(month: string | undefined, now: Date): BillingMonth {
  const running = billingMonthAt(now.getTime());
  if (month === undefined) {
    return running;
  }
  let asked: BillingMonth;
  try {
    asked = billingMonth(month);
  } catch (error) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'month_invalid',
      field: 'month',
      message: 'This is not a valid month.',
      remedy: 'Use the format 2026-11.',
      cause: error,
    });
  }
  if (asked.startMs > running.startMs) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'month_in_future',
      field: 'month',
      message: 'This month hasn’t started yet.',
      remedy: 'Choose the current month or an earlier one.',
    });
  }
  return asked;
}
