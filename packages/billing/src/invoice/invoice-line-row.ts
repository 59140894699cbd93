// Converts invoice lines between the database, documents and views.
import type { Prisma } from '@penstock/database/client';
import { decimal, usd } from '@penstock/pricing';
import type { InvoiceLineView } from './invoice.ts';
import type { DocumentLine } from './invoice-document.ts';

type LineRow = Prisma.InvoiceLineGetPayload<object>;

export function toLineRow(invoiceId: string, line: DocumentLine): Prisma.InvoiceLineCreateManyInput {
  return {
    ...line,
    invoiceId,
    quantity: line.quantity === null ? null : line.quantity.toString(),
    unitPriceUsd: line.unitPriceUsd === null ? null : line.unitPriceUsd.toFixed(),
    amountUsd: line.amountUsd.toFixed(2),
  };
}

/** The tables' check constraints and the only writer above rule out any other text. */
export function fromLineRow({ invoiceId: _, ...row }: LineRow): DocumentLine {
  return {
    ...row,
    product: row.product as DocumentLine['product'],
    mode: row.mode as DocumentLine['mode'],
    unit: row.unit as DocumentLine['unit'],
    quantity: row.quantity === null ? null : BigInt(row.quantity.toFixed(0)),
    unitPriceUsd: row.unitPriceUsd === null ? null : decimal(row.unitPriceUsd.toFixed()),
    amountUsd: usd(row.amountUsd.toFixed()),
  };
}

export function toLineView(line: DocumentLine): InvoiceLineView {
  return {
    ...line,
    unitPriceUsd: line.unitPriceUsd === null ? null : line.unitPriceUsd.toFixed(),
    amountUsd: line.amountUsd.toFixed(2),
  };
}
