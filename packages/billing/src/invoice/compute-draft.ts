// The bill of a month from the ledger as it stands: what a draft shows and what finalization writes down.
import { PRICE_BOOKS, type PriceBook, type Usd } from '@penstock/pricing';
import type { OrganizationScope } from '@penstock/tenancy';
import { readCreditBalance } from '../credit/record-booking.ts';
import type { BillingMonth } from '../rating/billing-month.ts';
import type { RatingInput } from '../rating/rate-month.ts';
import { readClosedMonths, readUnbilledMonths } from './closed-months.ts';
import { type Correction, correctionsOf } from './corrections-of.ts';
import { type Draft, draftOf } from './draft-of.ts';
import { readClusterNames, readUsageHours } from './read-usage.ts';

export interface ComputedDraft extends Draft {
  /** Whether the ledger has anything for the month, billable or not. */
  hasUsage: boolean;
  /** Before this bill. */
  creditBalanceUsd: Usd;
  /** Of earlier months, billed here or not. */
  corrections: Correction[];
}

/** What rating takes, for a whole month. */
export async function readRatingInput(
  scope: OrganizationScope,
  month: BillingMonth,
  books: readonly PriceBook[] = PRICE_BOOKS,
): Promise<RatingInput> {
  const hours = await readUsageHours(scope, month);
  const clusterNames = await readClusterNames(
    scope,
    hours.map(({ clusterId }) => clusterId),
  );
  return { hours, clusterNames, books, month: month.month };
}

/** @param books the price books, oldest first; for tests of other prices */
export async function computeDraft(
  scope: OrganizationScope,
  month: BillingMonth,
  books: readonly PriceBook[] = PRICE_BOOKS,
): Promise<ComputedDraft> {
  let creditBalanceUsd = await readCreditBalance(scope);
  // Earlier months that are not final yet take their credits first.
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
  for (const closed of await readClosedMonths(scope, month)) {
    const then = await readRatingInput(scope, closed.month, books);
    // A cluster that is billed but has no hours any more must be named too.
    const names = await readClusterNames(scope, closed.billedUsd.keys());
    corrections.push(...correctionsOf({ ...then, clusterNames: new Map([...names, ...then.clusterNames]) }, closed));
  }
  return {
    ...draftOf({ ...input, corrections, creditBalanceUsd }),
    hasUsage: input.hours.length > 0,
    creditBalanceUsd,
    corrections,
  };
}
