// The origin of a bill's line: the hours that add up to it, and the section of the journal behind each.
import { AppError, notFound } from '@penstock/platform';
import { PRICE_BOOKS, type Usd, ZERO_USD } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { readUnbilledHours, withoutUnbilled } from '../hold/billable-hours.ts';
import { billingMonthAt } from '../rating/billing-month.ts';
import { exactAmountOf, isSameLine, type LineKey, type RatedPart, rateHours } from '../rating/rate-month.ts';
import { computeDraft } from './compute-draft.ts';
import { findInvoice } from './get-invoice.ts';
import type { LineOrigin, LineOriginHour } from './invoice.ts';
import type { DocumentLine } from './invoice-document.ts';
import { fromLineRow, toLineView } from './invoice-row.ts';
import { readMonth } from './month-input.ts';
import { readUsageHours } from './read-usage.ts';

export interface LineOriginInput {
  /** An invoice's id, or `draft` for the current bill. */
  invoice: string;
  /** The month of a draft, e.g. `2026-11`; the current month if omitted. */
  month?: string | undefined;
  position: number;
}

/** @throws AppError `invoice_not_found`, `invoice_line_not_found`, `line_without_hours` (credits), `month_invalid`, `month_in_future` */
export async function getLineOrigin(scope: Scope, input: LineOriginInput): Promise<LineOrigin> {
  const line = await findLine(scope, input);
  if (line.clusterId === null || line.firstHour === null) {
    throw new AppError({
      kind: 'refused',
      code: 'line_without_hours',
      message: 'This line isn’t based on usage.',
      remedy: 'The credit balance lists all credits. A credit note states its reason.',
    });
  }
  const month = billingMonthAt(line.firstHour.getTime());
  const counted = await readUsageHours(scope, month);
  const unbilled = await readUnbilledHours(scope, month);
  const hours =
    line.product === 'held'
      ? counted.filter(({ clusterId, hourMs }) =>
          unbilled.some((held) => held.isHeld && held.clusterId === clusterId && held.hourMs === hourMs),
        )
      : withoutUnbilled(counted, unbilled).billable;
  const parts = rateHours({ hours, books: PRICE_BOOKS, month: month.month });
  const sums = sumByHour(parts.filter(belongsTo(line, line.clusterId)));
  const rows = hours
    .filter(({ clusterId, hourMs }) => clusterId === line.clusterId && sums.has(hourMs))
    .sort((a, b) => a.hourMs - b.hourMs)
    .map(({ hourMs, firstSeq, lastSeq }): LineOriginHour => {
      const { quantity, amountUsd: rated } = sums.get(hourMs) ?? { quantity: 0n, amountUsd: ZERO_USD };
      // Held writes are on the line without an amount, so their hours have none either.
      const amountUsd = line.product === 'held' ? ZERO_USD : rated;
      return { hour: new Date(hourMs), quantity, amountUsd: amountUsd.toDecimalPlaces(9).toFixed(), firstSeq, lastSeq };
    });
  const total = rows.reduce((sum, { quantity }) => sum + quantity, 0n);
  return {
    line: toLineView(line),
    hours: rows,
    lateQuantity: line.quantity === null ? 0n : total - line.quantity,
  };
}

async function findLine(scope: Scope, input: LineOriginInput): Promise<DocumentLine> {
  if (input.invoice === 'draft') {
    const draft = await computeDraft(scope, readMonth(input.month, scope.now));
    const line = draft.lines.find(({ position }) => position === input.position);
    if (line === undefined) {
      throw notFound('invoice line');
    }
    return line;
  }
  const { id: invoiceId } = await findInvoice(scope, input.invoice);
  const row = await scope.tx.invoiceLine.findUnique({
    where: { invoiceId_position: { invoiceId, position: input.position } },
  });
  if (row === null) {
    throw notFound('invoice line');
  }
  return fromLineRow(row);
}

/** A correction covers all of its cluster's usage in its month; its hours show the bytes written. */
function belongsTo(line: DocumentLine, clusterId: string): (part: RatedPart) => boolean {
  const { product, mode, tier, priceBookId } = line;
  if (product === 'held') {
    return (part) => part.clusterId === clusterId && part.product === 'writes';
  }
  if (product === 'correction' || product === 'credit' || priceBookId === null) {
    return (part) => part.clusterId === clusterId;
  }
  const key: LineKey = { clusterId, product, mode, tier, priceBookId };
  return (part) => isSameLine(part, key);
}

function sumByHour(parts: readonly RatedPart[]): Map<number, { quantity: bigint; amountUsd: Usd }> {
  const mixes = new Set(parts.map(({ product }) => product)).size > 1;
  const sums = new Map<number, { quantity: bigint; amountUsd: Usd }>();
  for (const part of parts) {
    const sum = sums.get(part.hourMs) ?? { quantity: 0n, amountUsd: ZERO_USD };
    if (!mixes || part.product === 'writes') {
      sum.quantity += part.quantity;
    }
    sum.amountUsd = sum.amountUsd.plus(exactAmountOf(part));
    sums.set(part.hourMs, sum);
  }
  return sums;
}
