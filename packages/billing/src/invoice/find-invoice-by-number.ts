// Finds an invoice of any organization by its number, for our staff.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';

/** @throws AppError `invoice_not_found`, for credit notes too */
export async function findInvoiceByNumber(
  database: Database,
  number: string,
): Promise<{ id: string; organizationId: string }> {
  const found = await database.invoice.findUnique({
    where: { number },
    select: { id: true, organizationId: true, kind: true },
  });
  if (found === null || found.kind !== 'invoice') {
    throw new AppError({
      kind: 'not-found',
      code: 'invoice_not_found',
      message: `There is no invoice ${number}.`,
      remedy: 'Check the number. It looks like PS-2026-000042.',
    });
  }
  return { id: found.id, organizationId: found.organizationId };
}
