// Converts invoices between the database and views.
import type { Prisma } from '@penstock/database/client';
import { larger, type Usd, usd, ZERO_USD } from '@penstock/pricing';
import { z } from 'zod';
import { billingMonthAt } from '../rating/billing-month.ts';
import type { InvoiceSummary } from './invoice.ts';
import type { Party } from './invoice-document.ts';

export type InvoiceRow = Prisma.InvoiceGetPayload<object>;

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
