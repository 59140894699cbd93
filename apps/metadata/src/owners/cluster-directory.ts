// What the control plane knows about virtual clusters: their organization, their settings, and whether they are deleted.
import type { ClusterMode } from '@penstock/metadata-core';
import type { Pool } from 'pg';

export interface ClusterRecord {
  clusterId: string;
  organizationId: string;
  autoCreateTopics: boolean;
  defaultPartitions: number;
  offsetsRetentionMinutes: number;
  maxUncompressedBatchBytes: number;
  /** The mode in which its cluster-minutes are metered. */
  mode: ClusterMode;
  /** The reason that producers get while the organization is suspended or its spending cap applies. Null: they may write. */
  writesRefusedReason: string | null;
  /** Its organization has a payment method, or has paid an invoice. */
  isPaying: boolean;
  isSuspended: boolean;
  isDeleted: boolean;
}

export interface ClusterDirectory {
  /** Those of these clusters that exist, deleted ones included. */
  lookUp(clusterIds: readonly string[]): Promise<ClusterRecord[]>;
  /** Stores the default that a Kafka client chose, within the bounds of the config. */
  setMaxUncompressedBatchBytes(clusterId: string, bytes: number): Promise<void>;
}

interface ClusterRow {
  id: string;
  organization_id: string;
  auto_create_topics: boolean;
  default_partitions: number;
  offsets_retention_minutes: number;
  max_uncompressed_batch_bytes: number;
  /** The table's check constraint allows only these values. */
  mode: ClusterMode;
  writes_refused_reason: string | null;
  is_paying: boolean;
  suspended_reason: string | null;
  is_deleted: boolean;
}

export class PostgresClusterDirectory implements ClusterDirectory {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async lookUp(clusterIds: readonly string[]): Promise<ClusterRecord[]> {
    const { rows } = await this.#pool.query<ClusterRow>({
      name: 'clusters-by-id',
      // A cap applies to its month (UTC) and expires with it, even if nobody lifts it.
      text: `SELECT c.id, c.organization_id, c.auto_create_topics, c.default_partitions, c.offsets_retention_minutes, c.mode,
               c.max_uncompressed_batch_bytes,
               CASE WHEN b.capped_month = date_trunc('month', now() AT TIME ZONE 'UTC')::date THEN b.writes_refused_reason END
                 AS writes_refused_reason,
               b.stripe_payment_method_id IS NOT NULL
                 OR EXISTS (SELECT FROM invoice WHERE organization_id = c.organization_id
                              AND kind = 'invoice' AND status = 'paid' AND amount_paid_usd > 0) AS is_paying,
               s.reason AS suspended_reason,
               c.deleted_at IS NOT NULL AS is_deleted
             FROM virtual_cluster c
             LEFT JOIN billing_account b ON b.organization_id = c.organization_id
             LEFT JOIN organization_suspension s ON s.organization_id = c.organization_id
             WHERE c.id = ANY($1::uuid[])`,
      values: [clusterIds],
    });
    return rows.map((row) => ({
      clusterId: row.id,
      organizationId: row.organization_id,
      autoCreateTopics: row.auto_create_topics,
      defaultPartitions: row.default_partitions,
      offsetsRetentionMinutes: row.offsets_retention_minutes,
      maxUncompressedBatchBytes: row.max_uncompressed_batch_bytes,
      mode: row.mode,
      writesRefusedReason:
        row.suspended_reason === null
          ? row.writes_refused_reason
          : `Writes are blocked because this organization is suspended: ${row.suspended_reason}`,
      isSuspended: row.suspended_reason !== null,
      isPaying: row.is_paying,
      isDeleted: row.is_deleted,
    }));
  }

  async setMaxUncompressedBatchBytes(clusterId: string, bytes: number): Promise<void> {
    await this.#pool.query({
      name: 'max-uncompressed-batch-bytes',
      text: 'UPDATE virtual_cluster SET max_uncompressed_batch_bytes = $2, updated_at = now() WHERE id = $1',
      values: [clusterId, bytes],
    });
  }
}
