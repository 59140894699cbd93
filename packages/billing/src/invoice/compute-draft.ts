// Computes a month's bill from the current ledger, for drafts and for finalization.
import { PRICE_BOOKS, type PriceBook, type Usd } from '@penstock/pricing';
import type { OrganizationScope } from '@penstock/tenancy';
import { readCreditBalance } from '../credit/record-booking.ts';
import { readUnbilledHours, withoutUnbilled } from '../hold/billable-hours.ts';
import type { BillingMonth } from '../rating/billing-month.ts';
import { type ChangedMonth, readChangedMonths, readUnbilledMonths } from './closed-months.ts';
import { type Correction, correctionsOf } from './corrections-of.ts';
import { type Draft, type DraftInput, draftOf } from './draft-of.ts';
import { readClusterNames, readUsageHours } from './read-usage.ts';

export interface ComputedDraft extends Draft {
  /** Whether the ledger has any usage for the month, billable or not. */
  hasUsage: boolean;
  /** The balance before this bill. */
  creditBalanceUsd: Usd;
  /** Corrections of earlier months, billed here or not. */
  corrections: Correction[];
  /** The closed months that were rated again and need no further correction once this bill is issued. */
  settledMonths: Pick<ChangedMonth, 'month' | 'changes'>[];
}

/** The input of rating, for a whole month, without what is held or waived. */
export async function readRatingInput(
  scope: OrganizationScope,
  month: BillingMonth,
  books: readonly PriceBook[] = PRICE_BOOKS,
): Promise<Omit<DraftInput, 'corrections' | 'creditBalanceUsd'>> {
  const { billable: hours, held } = withoutUnbilled(
    await readUsageHours(scope, month),
    await readUnbilledHours(scope, month),
  );
  const clusterNames = await readClusterNames(
    scope,
    hours.map(({ clusterId }) => clusterId),
  );
  return { hours, held, clusterNames, books, month: month.month };
}

/** @param books the price books, oldest first; tests pass other prices */
export async function computeDraft(
  scope: OrganizationScope,
  month: BillingMonth,
  books: readonly PriceBook[] = PRICE_BOOKS,
): Promise<ComputedDraft> {
  let creditBalanceUsd = await readCreditBalance(scope);
  // Earlier months that are not final yet use the credits first.
  for (const earlier of await readUnbilledMonths(scope, month)) {
    const draft = draftOf({
      ...(await readRatingInput(scope, earlier, books)),
      corrections: [],
      creditBalanceUsd,
    });
    creditBalanceUsd = creditBalanceUsd.plus(draft.creditUsd);
  }
  const input = await readRatingInput(scope, month, books);
  const corrections: Correction[] = [];
  const changed = await readChangedMonths(scope, month);
  for (const closed of changed) {
    const then = await readRatingInput(scope, closed.month, books);
    // Includes clusters that were billed but no longer have any hours.
    const names = await readClusterNames(scope, closed.billedUsd.keys());
    corrections.push(...correctionsOf({ ...then, clusterNames: new Map([...names, ...then.clusterNames]) }, closed));
  }
  const draft = draftOf({ ...input, corrections, creditBalanceUsd });
  const billed = new Set(
    draft.lines.flatMap(({ product, firstHour }) => (product === 'correction' ? [firstHour?.getTime()] : [])),
  );
  return {
    ...draft,
    hasUsage: input.hours.length > 0,
    creditBalanceUsd,
    corrections,
    settledMonths: changed.filter(
      (closed) =>
        billed.has(closed.month.startMs) || corrections.every((correction) => correction.month !== closed.month.month),
    ),
  };
}
