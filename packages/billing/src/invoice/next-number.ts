// Numbers of invoices and credit notes, consecutive within a series and year.
import type { Transaction } from '@penstock/database/client';

/**
 * The next number of a series, e.g. PS-2026-000042. The counter's row stays locked until the transaction ends; a
 * rollback returns the number, so there are no gaps. Take it last, since all organizations wait for it.
 */
export async function nextNumber(tx: Transaction, prefix: 'PS' | 'CN', now: Date): Promise<string> {
  const series = `${prefix}-${now.getUTCFullYear()}`;
  const [row] = await tx.$queryRaw<{ last: number }[]>`
    INSERT INTO invoice_counter (series, last) VALUES (${series}, 1)
    ON CONFLICT (series) DO UPDATE SET last = invoice_counter.last + 1 RETURNING last`;
  if (row === undefined) {
    throw new Error(`The counter of ${series} gave no number.`);
  }
  return `${series}-${String(row.last).padStart(6, '0')}`;
}
