// Exports an invoice, a credit note or the current draft as a file.
import { larger, usd, ZERO_USD } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { readOpenAmounts } from '../credit/record-booking.ts';
import { readBilledTo } from './billed-to.ts';
import { computeDraft } from './compute-draft.ts';
import { findInvoice } from './get-invoice.ts';
import type { ExportFormat, InvoiceFile } from './invoice.ts';
import type { DocumentLine, InvoiceDocument, Party } from './invoice-document.ts';
import { fromLineRow, parseParty } from './invoice-row.ts';
import type { InvoiceSettings } from './invoice-settings.ts';
import { readMonth } from './month-input.ts';
import { renderInvoicePdf } from './render-pdf.ts';
import { renderInvoiceCsv, renderInvoiceJson } from './render-text.ts';
import { readReversedAmounts } from './reversed-amounts.ts';

export interface ExportInput {
  /** An invoice's id, or `draft` for the current bill. */
  invoice: string;
  /** The month of a draft, e.g. `2026-11`; the current month if omitted. */
  month?: string | undefined;
  format: ExportFormat;
}

const contentTypes: Record<ExportFormat, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** @throws AppError `invoice_not_found`, `month_invalid`, `month_in_future` */
export async function exportInvoice(
  scope: Scope,
  input: ExportInput,
  settings: Pick<InvoiceSettings, 'seller'>,
): Promise<InvoiceFile> {
  const document =
    input.invoice === 'draft'
      ? await readDraftDocument(scope, input.month, settings.seller)
      : await readInvoiceDocument(scope, input.invoice);
  const name = document.number ?? `draft-${document.periodStart.toISOString().slice(0, 7)}`;
  return {
    fileName: `${name}.${input.format}`,
    contentType: contentTypes[input.format],
    bytes: await render(document, input.format),
  };
}

async function render(document: InvoiceDocument, format: ExportFormat): Promise<Uint8Array> {
  if (format === 'pdf') {
    return renderInvoicePdf(document);
  }
  return new TextEncoder().encode(format === 'csv' ? renderInvoiceCsv(document) : renderInvoiceJson(document));
}

/** A final invoice as it was issued, except for the paid amounts, which are current. */
export async function readInvoiceDocument(scope: Scope, invoiceId: string): Promise<InvoiceDocument> {
  const { tx, organizationId } = scope;
  const row = await findInvoice(scope, invoiceId);
  const lines = await tx.invoiceLine.findMany({ where: { invoiceId: row.id }, orderBy: { position: 'asc' } });
  const corrects =
    row.correctsId === null
      ? null
      : await tx.invoice.findFirst({ where: { id: row.correctsId, organizationId }, select: { number: true } });
  // The ledger has the open amount of an invoice. A credit note has no receivable of its own.
  const open = (await readOpenAmounts(scope, [row.id])).get(row.id);
  const reversed = await readReversedAmounts(scope, row.id);
  return {
    kind: row.kind === 'credit_note' ? 'credit_note' : 'invoice',
    id: row.id,
    number: row.number,
    correctsNumber: corrects?.number ?? null,
    reason: row.reason,
    seal: row.seal,
    seller: parseParty(row.billedBy),
    buyer: parseParty(row.billedTo),
    organizationId,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    currency: 'USD',
    issuedAt: row.finalizedAt,
    dueAt: row.dueAt,
    paidAt: row.paidAt,
    status: row.status as InvoiceDocument['status'],
    collection: row.collection === 'card' ? 'card' : 'transfer',
    transferDetails: row.transferDetails === null ? [] : row.transferDetails.split('\n'),
    lines: lines.map(fromLineRow),
    subtotalUsd: usd(row.subtotalUsd.toFixed()),
    creditUsd: usd(row.creditUsd.toFixed()),
    totalUsd: usd(row.totalUsd.toFixed()),
    paidUsd: usd(row.amountPaidUsd.toFixed()),
    refundedUsd: reversed.refundedUsd,
    disputedUsd: reversed.disputedUsd,
    openUsd: larger(open ?? ZERO_USD, ZERO_USD),
  };
}

async function readDraftDocument(
  scope: Scope,
  askedMonth: string | undefined,
  seller: Party | undefined,
): Promise<InvoiceDocument> {
  const { tx, organizationId } = scope;
  const month = readMonth(askedMonth, scope.now);
  const draft = await computeDraft(scope, month);
  const account = await tx.billingAccount.findUnique({ where: { organizationId } });
  const lines: DocumentLine[] = draft.lines;
  return {
    kind: 'draft',
    id: null,
    number: null,
    correctsNumber: null,
    reason: null,
    seal: null,
    seller: seller ?? { name: 'Penstock', address: [], email: null, taxId: null },
    buyer: await readBilledTo(scope, account),
    organizationId,
    periodStart: new Date(month.startMs),
    periodEnd: new Date(month.endMs),
    currency: 'USD',
    issuedAt: null,
    dueAt: null,
    paidAt: null,
    status: 'draft',
    collection: account?.stripePaymentMethodId == null ? 'transfer' : 'card',
    transferDetails: [],
    lines,
    subtotalUsd: draft.subtotalUsd,
    creditUsd: draft.creditUsd,
    totalUsd: draft.totalUsd,
    paidUsd: ZERO_USD,
    refundedUsd: ZERO_USD,
    disputedUsd: ZERO_USD,
    openUsd: draft.totalUsd,
  };
}
