// Cluster lookups that nearly every request begins with.
import { column, type Statement } from '@penstock/database/client';
import { type Cluster, toCluster } from './cluster.ts';

const COLUMNS = `id, name, cloud, region, mode, auto_create_topics, default_partitions, offsets_retention_minutes,
  max_uncompressed_batch_bytes,  deletion_protection, confirm_agent_addresses, extract(epoch FROM confirm_agent_addresses_from), allow_agent_administration,
  extract(epoch FROM created_at), extract(epoch FROM deleted_at)`;

const toRow: Statement<Cluster>['toRow'] = ([
  id,
  name,
  cloud,
  region,
  mode,
  autoCreate,
  partitions,
  offsetsRetention,
  maxUncompressedBatch,
  isProtected,
  confirms,
  confirmsFrom,
  allowsAdministration,
  made,
  deleted,
]) =>
  toCluster({
    id: column.text(id),
    name: column.text(name),
    cloud: column.text(cloud),
    region: column.text(region),
    mode: column.text(mode),
    autoCreateTopics: column.flag(autoCreate),
    defaultPartitions: Number(column.text(partitions)),
    offsetsRetentionMinutes: Number(column.text(offsetsRetention)),
    maxUncompressedBatchBytes: Number(column.text(maxUncompressedBatch)),
    deletionProtection: column.flag(isProtected),
    confirmAgentAddresses: column.flag(confirms),
    confirmAgentAddressesFrom: column.instantOrNull(confirmsFrom),
    allowAgentAdministration: column.flag(allowsAdministration),
    createdAt: column.instant(made),
    deletedAt: column.instantOrNull(deleted),
  });

/** The cluster with the id `$1` in the organization `$2`, unless deleted. */
export const clusterById: Statement<Cluster> = {
  name: 'cluster_by_id',
  text: `SELECT ${COLUMNS} FROM virtual_cluster WHERE id = $1::uuid AND organization_id = $2 AND deleted_at IS NULL`,
  toRow,
};

/**
 * The clusters of the organization `$1` that are not deleted, oldest first: after the cluster with the id `$3`, created at
 * `$2`. Of those in the array `$4`, unless it is null. At most `$5`, unless it is null.
 */
export const clustersOfOrganization: Statement<Cluster> = {
  name: 'clusters_of_organization',
  text: `SELECT ${COLUMNS} FROM virtual_cluster
    WHERE organization_id = $1 AND deleted_at IS NULL AND (created_at, id) > ($2::timestamptz, $3::uuid)
      AND ($4::uuid[] IS NULL OR id = ANY($4::uuid[]))
    ORDER BY created_at, id LIMIT $5::int`,
  toRow,
};
