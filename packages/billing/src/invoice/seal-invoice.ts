// Seals a final invoice: a hash over its content and over the positions of the logs behind it. It is printed on the
// invoice, so that its holder can detect later changes to the invoice or the log.
import type { Scope } from '@penstock/tenancy';

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
