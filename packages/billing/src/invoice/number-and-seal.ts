// What makes a document final: its number, consecutive within a series and year, and its seal, a hash over its content and
// over the positions of the logs behind it. The seal is printed on the document, so that its holder can detect later
// changes to the document or the log.
import type { Transaction } from '@penstock/database/client';
import type { Scope } from '@penstock/tenancy';

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

/** The head of a cluster's metered journal, which is a hash chain. */
export interface MeterHead {
  clusterId: string;
  /** The last counted entry, as decimal text. */
  seq: string;
  /** Covers every entry up to that one, in hex. */
  hash: string;
}

/** The heads of all metered clusters of the organization, by cluster. */
export async function readMeterHeads({
  tx,
  organizationId,
}: Pick<Scope, 'tx' | 'organizationId'>): Promise<MeterHead[]> {
  return tx.$queryRaw<MeterHead[]>`
    SELECT DISTINCT ON (b.cluster_id) b.cluster_id::text AS "clusterId", b.last_seq::text AS seq, encode(b.hash, 'hex') AS hash
    FROM metadata_meter_block b
    WHERE b.cluster_id IN (SELECT id FROM virtual_cluster WHERE organization_id = ${organizationId}
                           UNION SELECT cluster_id FROM usage_hour WHERE organization_id = ${organizationId})
    ORDER BY b.cluster_id, b.first_seq DESC`;
}

/** Call it once, after writing the lines. */
export async function sealInvoice({ tx }: Pick<Scope, 'tx'>, invoiceId: string): Promise<void> {
  await tx.$executeRaw`UPDATE invoice SET seal = invoice_seal(id) WHERE id = ${invoiceId}::uuid`;
}
