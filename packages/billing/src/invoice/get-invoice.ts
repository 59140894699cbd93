// One final invoice or credit note, with its lines.
import { isUuid, notFound } from '@penstock/platform';
import type { OrganizationScope, Scope, Slice } from '@penstock/tenancy';
import { readOpenAmounts } from '../credit/record-booking.ts';
import type { InvoiceDetail, InvoiceLineView } from './invoice.ts';
import { fromLineRow, type InvoiceRow, parseParty, toLineView, toSummary } from './invoice-row.ts';
import { readReversedAmounts } from './reversed-amounts.ts';

/** @throws AppError `invoice_not_found` for a missing invoice and for another organization's */
export async function findInvoice({ tx, organizationId }: OrganizationScope, invoiceId: string): Promise<InvoiceRow> {
  const row = isUuid(invoiceId) ? await tx.invoice.findFirst({ where: { id: invoiceId, organizationId } }) : null;
  if (row === null) {
    throw notFound('invoice', 'Choose an invoice from the list.');
  }
  return row;
}

async function linesOf(tx: Scope['tx'], invoiceId: string, slice?: Slice<readonly [number]>) {
  const [position] = slice?.after ?? [];
  const rows = await tx.invoiceLine.findMany({
    where: { invoiceId, ...(position === undefined ? {} : { position: { gt: position } }) },
    orderBy: { position: 'asc' },
    ...(slice === undefined ? {} : { take: slice.limit }),
  });
  return rows.map((row) => toLineView(fromLineRow(row)));
}

/** By position. @throws AppError `invoice_not_found` */
export async function listInvoiceLines(
  scope: Scope,
  input: { invoiceId: string },
  slice?: Slice<readonly [number]>,
): Promise<InvoiceLineView[]> {
  const { id } = await findInvoice(scope, input.invoiceId);
  return linesOf(scope.tx, id, slice);
}

/** @throws AppError `invoice_not_found` */
export async function getInvoice(scope: Scope, input: { invoiceId: string }): Promise<InvoiceDetail> {
  const { tx, organizationId } = scope;
  const row = await findInvoice(scope, input.invoiceId);
  const lines = await linesOf(tx, row.id);
  const creditNotes = await tx.invoice.findMany({
    where: { organizationId, correctsId: row.id },
    orderBy: { id: 'asc' },
  });
  const corrects =
    row.correctsId === null
      ? null
      : await tx.invoice.findFirst({
          where: { id: row.correctsId, organizationId },
          select: { id: true, number: true },
        });
  const open = await readOpenAmounts(scope, [row.id]);
  const reversed = await readReversedAmounts(scope, row.id);
  return {
    ...toSummary(row, open.get(row.id)),
    refundedUsd: reversed.refundedUsd.toFixed(2),
    disputedUsd: reversed.disputedUsd.toFixed(2),
    isDisputeLost: reversed.isDisputeLost,
    lines,
    billedTo: parseParty(row.billedTo),
    billedBy: parseParty(row.billedBy),
    transferDetails: row.transferDetails === null ? [] : row.transferDetails.split('\n'),
    reason: row.reason,
    seal: row.seal,
    corrects,
    creditNotes: creditNotes.map((note) => toSummary(note, undefined)),
  };
}
