// The final invoices and credit notes of an organization, newest first, in pages.
import type { Scope } from '@penstock/tenancy';
import { readOpenAmounts } from '../credit/record-booking.ts';
import type { InvoicePage } from './invoice.ts';
import { toSummary } from './invoice-row.ts';

const PAGE_SIZE = 24;

/** @param input.cursor `nextCursor` of the previous page */
export async function listInvoices(
  scope: Scope,
  input: { cursor?: string | undefined; limit?: number | undefined },
): Promise<InvoicePage> {
  const limit = input.limit ?? PAGE_SIZE;
  const rows = await scope.tx.invoice.findMany({
    where: {
      organizationId: scope.organizationId,
      ...(input.cursor === undefined ? {} : { id: { lt: input.cursor } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const open = await readOpenAmounts(
    scope,
    page.map(({ id }) => id),
  );
  return {
    invoices: page.map((row) => toSummary(row, open.get(row.id))),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
