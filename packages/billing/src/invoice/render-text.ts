// An invoice as CSV and JSON for programs, with exact figures.
import { csvRow } from '@penstock/units';
import { gibOf } from '../rating/rate-month.ts';
import type { DocumentLine, InvoiceDocument } from './invoice-document.ts';

type Column = [name: string, read: (line: DocumentLine, document: InvoiceDocument) => string | number | null];

const day = (date: Date | null): string | null => (date === null ? null : date.toISOString().slice(0, 10));
const hour = (date: Date | null): string | null => (date === null ? null : date.toISOString().replace('.000Z', 'Z'));

const columns: Column[] = [
  ['invoice', (_, { number }) => number ?? 'draft'],
  ['period_start', (_, { periodStart }) => day(periodStart)],
  ['period_end', (_, { periodEnd }) => day(periodEnd)],
  ['line', ({ position }) => position],
  ['product', ({ product }) => product],
  ['cluster_id', ({ clusterId }) => clusterId],
  ['cluster_name', ({ clusterName }) => clusterName],
  ['mode', ({ mode }) => mode],
  ['tier', ({ tier }) => tier],
  ['description', ({ description }) => description],
  ['quantity', ({ quantity, unit }) => exactQuantity(quantity, unit)],
  ['unit', ({ unit }) => unit],
  ['quantity_bytes', ({ quantity, unit }) => (unit === 'GiB' ? (quantity?.toString() ?? null) : null)],
  ['unit_price_usd', ({ unitPriceUsd }) => unitPriceUsd?.toFixed() ?? null],
  ['amount_usd', ({ amountUsd }) => amountUsd.toFixed(2)],
  ['price_book', ({ priceBookId }) => priceBookId],
  ['first_hour', ({ firstHour }) => hour(firstHour)],
  ['last_hour', ({ lastHour }) => hour(lastHour)],
];

function exactQuantity(quantity: bigint | null, unit: DocumentLine['unit']): string | null {
  if (quantity === null) {
    return null;
  }
  return unit === 'GiB' ? gibOf(quantity).toFixed() : quantity.toString();
}

/** RFC 4180: one row per invoice line, after a header row. The amounts sum to the total. */
export function renderInvoiceCsv(document: InvoiceDocument): string {
  const rows = [
    columns.map(([name]) => name),
    ...document.lines.map((line) => columns.map(([, read]) => read(line, document))),
  ];
  return rows.map(csvRow).join('');
}

/** Money and quantities are text, because most parsers read JSON numbers as floats. */
export function renderInvoiceJson(document: InvoiceDocument): string {
  const { lines, subtotalUsd, creditUsd, totalUsd, paidUsd, refundedUsd, disputedUsd, openUsd, ...rest } = document;
  const facts = {
    ...rest,
    periodStart: day(document.periodStart),
    periodEnd: day(document.periodEnd),
    subtotalUsd: subtotalUsd.toFixed(2),
    creditUsd: creditUsd.toFixed(2),
    totalUsd: totalUsd.toFixed(2),
    paidUsd: paidUsd.toFixed(2),
    refundedUsd: refundedUsd.toFixed(2),
    disputedUsd: disputedUsd.toFixed(2),
    openUsd: openUsd.toFixed(2),
    lines: lines.map(({ quantity, unitPriceUsd, amountUsd, unit, firstHour, lastHour, ...line }) => ({
      ...line,
      quantity: exactQuantity(quantity, unit),
      unit,
      quantityBytes: unit === 'GiB' ? (quantity?.toString() ?? null) : null,
      unitPriceUsd: unitPriceUsd?.toFixed() ?? null,
      amountUsd: amountUsd.toFixed(2),
      firstHour: hour(firstHour),
      lastHour: hour(lastHour),
    })),
  };
  return `${JSON.stringify(facts, null, 2)}\n`;
}
