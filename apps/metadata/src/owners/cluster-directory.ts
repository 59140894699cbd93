// What the control plane says of virtual clusters: to whom they belong, their settings, whether they are deleted.
import type { Pool } from 'pg';

export interface ClusterRecord {
  clusterId: string;
  organizationId: string;
  autoCreateTopics: boolean;
  defaultPartitions: number;
  isDeleted: boolean;
}

export interface ClusterDirectory {
  /** The clusters of these ids that exist, deleted ones included. */
  lookUp(clusterIds: readonly string[]): Promise<ClusterRecord[]>;
}

interface ClusterRow {
  id: string;
  organization_id: string;
  auto_create_topics: boolean;
  default_partitions: number;
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
      text: `SELECT id, organization_id, auto_create_topics, default_partitions, deleted_at IS NOT NULL AS is_deleted
             FROM virtual_cluster WHERE id = ANY($1::uuid[])`,
      values: [clusterIds],
    });
    return rows.map((row) => ({
      clusterId: row.id,
      organizationId: row.organization_id,
      autoCreateTopics: row.auto_create_topics,
      defaultPartitions: row.default_partitions,
      isDeleted: row.is_deleted,
    }));
  }
}
