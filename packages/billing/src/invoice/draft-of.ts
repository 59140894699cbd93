// A month's bill: rated usage, corrections of earlier months, credits. Pure; shared by drafts and final invoices.
import { larger, smaller, sumUsd, type Usd, ZERO_USD } from '@penstock/pricing';
import type { HeldWrites } from '../hold/billable-hours.ts';
import { type RatingInput, rateMonth } from '../rating/rate-month.ts';
import type { Correction } from './corrections-of.ts';
import type { DocumentLine } from './invoice-document.ts';
import { describeCorrection, describeCredit, describeHeld, describeLine } from './wording.ts';

export interface DraftInput extends RatingInput {
  /** Writes that wait for a review: shown, and not charged. */
  held?: readonly HeldWrites[];
  /** Corrections of earlier months. Those of one month are billed together or not at all. */
  corrections: readonly Correction[];
  /** The balance before this bill. */
  creditBalanceUsd: Usd;
}

export interface Draft {
  lines: DocumentLine[];
  /** The sum of the lines before credits. Never negative. */
  subtotalUsd: Usd;
  /** Zero or negative: credits cover as much of the bill as they can. */
  creditUsd: Usd;
  totalUsd: Usd;
  /** Lines omitted because they round to $0.00. */
  linesBelowOneCent: number;
}

const blank = {
  clusterId: null,
  clusterName: null,
  mode: null,
  tier: null,
  quantity: null,
  unit: null,
  unitPriceUsd: null,
  priceBookId: null,
  firstHour: null,
  lastHour: null,
} as const;

/** @throws RangeError for an hour outside the month */
export function draftOf(input: DraftInput): Draft {
  const rated = rateMonth(input);
  const shown = rated.filter(({ amountUsd }) => !amountUsd.isZero());
  const namesBook = new Set(rated.map(({ priceBookId }) => priceBookId)).size > 1;
  const usage = shown.map((line): Omit<DocumentLine, 'position'> => {
    const { firstHourMs, lastHourMs, ...rest } = line;
    return {
      ...rest,
      description: describeLine(line, input.books, namesBook),
      firstHour: new Date(firstHourMs),
      lastHour: new Date(lastHourMs),
    };
  });
  const usageUsd = sumUsd(shown.map(({ amountUsd }) => amountUsd));
  const corrections = billable(input.corrections, usageUsd);
  const subtotalUsd = sumUsd([usageUsd, ...corrections.map(({ amountUsd }) => amountUsd)]);
  const usedUsd = larger(smaller(input.creditBalanceUsd, subtotalUsd), ZERO_USD);
  const lines = [
    ...usage,
    ...(input.held ?? []).map((held): Omit<DocumentLine, 'position'> => {
      const clusterName = input.clusterNames.get(held.clusterId) ?? held.clusterId;
      return {
        ...blank,
        product: 'held',
        clusterId: held.clusterId,
        clusterName,
        description: describeHeld(clusterName, held.hours),
        quantity: held.bytes,
        unit: 'GiB',
        amountUsd: ZERO_USD,
        firstHour: new Date(held.firstHourMs),
        lastHour: new Date(held.lastHourMs),
      };
    }),
    ...corrections.map(
      (correction): Omit<DocumentLine, 'position'> => ({
        ...blank,
        product: 'correction',
        clusterId: correction.clusterId,
        clusterName: correction.clusterName,
        description: describeCorrection(correction.clusterName, correction.month, correction.invoiceNumber),
        amountUsd: correction.amountUsd,
        firstHour: new Date(correction.firstHourMs),
        lastHour: new Date(correction.lastHourMs),
      }),
    ),
  ];
  if (!usedUsd.isZero()) {
    lines.push({
      ...blank,
      product: 'credit',
      description: describeCredit(input.creditBalanceUsd, usedUsd),
      amountUsd: usedUsd.negated(),
    });
  }
  return {
    lines: lines.map((line, index) => ({ position: index + 1, ...line })),
    subtotalUsd,
    // Avoids minus zero.
    creditUsd: ZERO_USD.minus(usedUsd),
    totalUsd: subtotalUsd.minus(usedUsd),
    linesBelowOneCent: rated.length - shown.length,
  };
}

/**
 * An invoice is never negative: corrections that would make it so wait for the next one. They are not lost, since each
 * bill computes the difference between the ledger and the billed amounts again.
 */
function billable(corrections: readonly Correction[], usageUsd: Usd): readonly Correction[] {
  const taken: Correction[] = [];
  let subtotal = usageUsd;
  const months = [...new Set(corrections.map(({ month }) => month))].map((month) => {
    const ofMonth = corrections.filter((correction) => correction.month === month);
    return { ofMonth, sum: sumUsd(ofMonth.map(({ amountUsd }) => amountUsd)) };
  });
  // Amounts to be paid come first, so that there is room for amounts to be returned.
  for (const { ofMonth, sum } of [
    ...months.filter(({ sum }) => sum.gte(0)),
    ...months.filter(({ sum }) => sum.lt(0)),
  ]) {
    if (subtotal.plus(sum).lt(0)) {
      continue;
    }
    subtotal = subtotal.plus(sum);
    taken.push(...ofMonth);
  }
  return taken;
}
