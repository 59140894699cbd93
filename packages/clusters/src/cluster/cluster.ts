// A virtual cluster as the control plane stores it, and what several of its use-cases share.
import { Prisma } from '@penstock/database/client';
import { AppError, isUuid, notFound } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import type { z } from 'zod';
import type { clusterMode } from './cluster-input.ts';

/** The mode, which determines the price of a cluster-minute and the limits. */
export type ClusterMode = z.infer<typeof clusterMode>;

export interface Cluster {
  id: string;
  name: string;
  cloud: string;
  region: string;
  mode: ClusterMode;
  autoCreateTopics: boolean;
  defaultPartitions: number;
  offsetsRetentionMinutes: number;
  /** Maximum decompressed size of a batch in topics without max.uncompressed.batch.bytes. */
  maxUncompressedBatchBytes: number;
  deletionProtection: boolean;
  /** Whether agents with an address that is new to the cluster wait for a confirmation. */
  confirmAgentAddresses: boolean;
  /** From when on; until then, addresses are learned. Null: a day after the first agent registers. */
  confirmAgentAddressesFrom: Date | null;
  /** Whether agents may change users, ACLs and quotas for clients that did not sign in with SCRAM. */
  allowAgentAdministration: boolean;
  createdAt: Date;
  deletedAt: Date | null;
  /** When a deleted cluster is permanently deleted; null if it is not deleted. */
  purgeAt: Date | null;
}

/** How long a deleted cluster can be restored. */
export const RESTORE_WINDOW_MS = 30 * DAY_MS;

export const clusterColumns = {
  id: true,
  name: true,
  cloud: true,
  region: true,
  mode: true,
  autoCreateTopics: true,
  defaultPartitions: true,
  offsetsRetentionMinutes: true,
  maxUncompressedBatchBytes: true,
  deletionProtection: true,
  confirmAgentAddresses: true,
  confirmAgentAddressesFrom: true,
  allowAgentAdministration: true,
  createdAt: true,
  deletedAt: true,
} as const;

/** @param row the table's check constraint allows no other modes */
export function toCluster(row: Omit<Cluster, 'purgeAt' | 'mode'> & { mode: string }): Cluster {
  const mode = row.mode as ClusterMode;
  return {
    ...row,
    mode,
    purgeAt: row.deletedAt === null ? null : new Date(row.deletedAt.getTime() + RESTORE_WINDOW_MS),
  };
}

/**
 * Reads a cluster of the organization and locks its row until the transaction ends, so that "before" in the audit row
 * is exactly what the change replaced.
 * @throws AppError `cluster_not_found` for a missing cluster, another organization's, or (unless requested) a deleted
 * one
 */
export async function lockCluster(
  scope: Scope,
  clusterId: string,
  state: 'live' | 'deleted' = 'live',
): Promise<Cluster> {
  if (!isUuid(clusterId)) {
    throw notFound('cluster');
  }
  await scope.tx.$queryRaw`
    SELECT 1 FROM virtual_cluster WHERE id = ${clusterId}::uuid AND organization_id = ${scope.organizationId} FOR UPDATE`;
  return findCluster(scope, clusterId, state);
}

/** Reads a cluster of the organization without locking it. Throws like `lockCluster`. */
export async function findCluster(
  scope: Scope,
  clusterId: string,
  state: 'live' | 'deleted' = 'live',
): Promise<Cluster> {
  if (!isUuid(clusterId)) {
    throw notFound('cluster');
  }
  const row = await scope.tx.virtualCluster.findFirst({
    where: {
      id: clusterId,
      organizationId: scope.organizationId,
      deletedAt: state === 'live' ? null : { not: null },
    },
    select: clusterColumns,
  });
  if (row === null) {
    throw noSuchCluster();
  }
  return toCluster(row);
}

/** One error for missing, deleted and other organizations' clusters, so that callers cannot tell them apart. */
export function noSuchCluster(): AppError {
  return notFound('cluster', 'Choose a cluster from the list. Deleted clusters can be restored for 30 days.');
}

/** Translates the database's unique violation on cluster names into an AppError. */
export function explainNameTaken(error: unknown, name: string): unknown {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') {
    return error;
  }
  return new AppError({
    kind: 'conflict',
    code: 'cluster_name_taken',
    field: 'name',
    message: `A cluster named “${name}” already exists in this organization.`,
    remedy: 'Choose another name.',
    cause: error,
  });
}
