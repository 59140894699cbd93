// Corrections for usage that reached the ledger after its month was closed. A final invoice does not change: the
// difference goes onto the next one.
import { sumUsd, type Usd, ZERO_USD } from '@penstock/pricing';
import { HOUR_MS } from '@penstock/units';
import { billingMonth } from '../rating/billing-month.ts';
import { type RatingInput, rateMonth } from '../rating/rate-month.ts';

export interface Correction {
  /** The corrected month, `2026-10`. */
  month: string;
  /** The invoice that closed that month. */
  invoiceNumber: string;
  clusterId: string;
  clusterName: string;
  /** To be paid, or if negative, returned. */
  amountUsd: Usd;
  firstHourMs: number;
  lastHourMs: number;
}

export interface ClosedMonth {
  invoiceNumber: string;
  /**
   * The amount billed for the month so far, by cluster: usage lines of its own invoice, and corrections on later
   * invoices.
   */
  billedUsd: ReadonlyMap<string, Usd>;
}

/** One correction per cluster whose bill changes by a cent or more when rated again from the current ledger. */
export function correctionsOf(input: RatingInput, closed: ClosedMonth): Correction[] {
  const { startMs, endMs } = billingMonth(input.month);
  const rated = rateMonth(input);
  const clusterIds = [...new Set([...closed.billedUsd.keys(), ...rated.map(({ clusterId }) => clusterId)])].sort();
  return clusterIds.flatMap((clusterId): Correction[] => {
    const now = sumUsd(rated.filter((line) => line.clusterId === clusterId).map(({ amountUsd }) => amountUsd));
    const amountUsd = now.minus(closed.billedUsd.get(clusterId) ?? ZERO_USD);
    if (amountUsd.isZero()) {
      return [];
    }
    return [
      {
        month: input.month,
        invoiceNumber: closed.invoiceNumber,
        clusterId,
        clusterName: input.clusterNames.get(clusterId) ?? clusterId,
        amountUsd,
        firstHourMs: startMs,
        lastHourMs: endMs - HOUR_MS,
      },
    ];
  });
}
