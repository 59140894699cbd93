// Converts invoices and their lines between the database, documents and views.
import type { Prisma } from '@penstock/database/client';
import { decimal, larger, type Usd, usd, ZERO_USD } from '@penstock/pricing';
import { z } from 'zod';
import { billingMonthAt } from '../rating/billing-month.ts';
import type { InvoiceLineView, InvoiceSummary } from './invoice.ts';
import type { DocumentLine, Party } from './invoice-document.ts';

export type InvoiceRow = Prisma.InvoiceGetPayload<object>;
type LineRow = Prisma.InvoiceLineGetPayload<object>;

const partySchema = z.object({
  name: z.string(),
  address: z.array(z.string()),
  email: z.string().nullable(),
  taxId: z.string().nullable(),
});

/** Reads the stored seller or buyer of an invoice. */
export function parseParty(stored: Prisma.JsonValue): Party {
  return partySchema.parse(stored);
}

/** @param openUsd the amount still to be paid, from the ledger */
export function toSummary(row: InvoiceRow, openUsd: Usd | undefined): InvoiceSummary {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind === 'credit_note' ? 'credit_note' : 'invoice',
    month: billingMonthAt(row.periodStart.getTime()).month,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    // The table's check constraint rules out any other value.
    status: row.status as InvoiceSummary['status'],
    collection: row.collection === 'card' ? 'card' : 'transfer',
    subtotalUsd: row.subtotalUsd.toFixed(2),
    creditUsd: row.creditUsd.toFixed(2),
    totalUsd: row.totalUsd.toFixed(2),
    amountPaidUsd: row.amountPaidUsd.toFixed(2),
    amountDueUsd: row.kind === 'invoice' ? larger(openUsd ?? usd('0'), ZERO_USD).toFixed(2) : '0.00',
    finalizedAt: row.finalizedAt,
    dueAt: row.dueAt,
    paidAt: row.paidAt,
    hostedInvoiceUrl: row.hostedInvoiceUrl,
  };
}

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
