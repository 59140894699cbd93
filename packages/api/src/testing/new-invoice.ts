// An invoice for tests, with one line of a cluster.
import type { Database } from '@penstock/database/client';
import { newId } from '@penstock/platform';

/** A credit note, because a month has only one invoice. */
export async function newInvoice(
  database: Database,
  { organizationId, clusterId }: { organizationId: string; clusterId: string },
): Promise<string> {
  const id = newId();
  const party = { name: 'Acme', address: [], email: null, taxId: null };
  await database.invoice.create({
    data: {
      id,
      organizationId,
      number: id,
      kind: 'credit_note',
      periodStart: new Date('2026-10-01'),
      periodEnd: new Date('2026-11-01'),
      subtotalUsd: '-1.00',
      creditUsd: '0.00',
      totalUsd: '-1.00',
      billedTo: party,
      billedBy: party,
      collection: 'transfer',
      status: 'issued',
      finalizedAt: new Date(),
      dueAt: new Date(),
    },
  });
  await database.invoiceLine.create({
    data: {
      invoiceId: id,
      position: 1,
      product: 'correction',
      clusterId,
      description: 'Correction',
      amountUsd: '-1.00',
      firstHour: new Date('2026-10-01T00:00:00Z'),
      lastHour: new Date('2026-10-01T00:00:00Z'),
    },
  });
  return id;
}
