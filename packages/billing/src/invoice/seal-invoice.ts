// Seals a final invoice: a fingerprint of all that it says, and of where the logs behind it stood. Printed on it, so that whoever holds the
// paper can tell whether anything was changed later, in the invoice or in the log.
import type { Scope } from '@penstock/tenancy';

/** Where the hash chain of a cluster's journal stands. */
export interface MeterHead {
  clusterId: string;
  /** The last entry that has been counted, as decimal text. */
  seq: string;
  /** Over every entry up to that one, in hex. */
  hash: string;
}

/** The heads of all clusters of the organization that have been metered, by cluster. */
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

/** Once, when the lines are written. */
export async function sealInvoice({ tx }: Pick<Scope, 'tx'>, invoiceId: string): Promise<void> {
  await tx.$executeRaw`UPDATE invoice SET seal = invoice_seal(id) WHERE id = ${invoiceId}::uuid`;
}
