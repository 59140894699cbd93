// The bill of a month from the ledger as it stands: what a draft shows and what finalization writes down.
import { PRICE_BOOKS, type PriceBook, type Usd } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { readCreditBalance } from '../credit/book.ts';
import type { BillingMonth } from '../rating/billing-month.ts';
import type { RatingInput } from '../rating/rate-month.ts';
import { readClosedMonths, readUnbilledMonths } from './closed-months.ts';
import { type Correction, correctionsOf } from './corrections-of.ts';
import { type Draft, draftOf } from './draft-of.ts';
import { readClusterNames, readUsageHours } from './read-usage.ts';

type Tenant = Pick<Scope, 'tx' | 'organizationId'>;

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
  tenant: Tenant,
  month: BillingMonth,
  books: readonly PriceBook[] = PRICE_BOOKS,
): Promise<RatingInput> {
  const hours = await readUsageHours(tenant, month);
  const clusterNames = await readClusterNames(
    tenant,
    hours.map(({ clusterId }) => clusterId),
  );
  return { hours, clusterNames, books, month: month.month };
}

/** @param books the price books, oldest first; for tests of other prices */
export async function computeDraft(
  tenant: Tenant,
  month: BillingMonth,
  books: readonly PriceBook[] = PRICE_BOOKS,
): Promise<ComputedDraft> {
  let creditBalanceUsd = await readCreditBalance(tenant);
  // Earlier months that are not final yet take their credits first.
  for (const earlier of await readUnbilledMonths(tenant, month)) {
    const draft = draftOf({
      ...(await readRatingInput(tenant, earlier, books)),
      corrections: [],
      creditBalanceUsd,
    });
    creditBalanceUsd = creditBalanceUsd.plus(draft.creditUsd);
  }
  const input = await readRatingInput(tenant, month, books);
  const corrections: Correction[] = [];
  for (const closed of await readClosedMonths(tenant, month)) {
    const then = await readRatingInput(tenant, closed.month, books);
    // A cluster that is billed but has no hours any more must be named too.
    const names = await readClusterNames(tenant, closed.billedUsd.keys());
    corrections.push(...correctionsOf({ ...then, clusterNames: new Map([...names, ...then.clusterNames]) }, closed));
  }
  return {
    ...draftOf({ ...input, corrections, creditBalanceUsd }),
    hasUsage: input.hours.length > 0,
    creditBalanceUsd,
    corrections,
  };
}
