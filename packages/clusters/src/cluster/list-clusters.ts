// The clusters of an organization.
import type { ReadScope, Scope, Slice } from '@penstock/tenancy';
import { type Cluster, clusterColumns, RESTORE_WINDOW_MS, toCluster } from './cluster.ts';
import { clustersOfOrganization } from './cluster-statements.ts';

/** When a cluster was created or deleted, and its id. */
export type ClusterOrder = readonly [Date, string];

/** Before every other id. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Clusters that are not deleted, oldest first.
 * @param visible ids of the clusters that the caller sees; null for all of the organization
 */
export function listClusters(
  scope: ReadScope,
  visible: readonly string[] | null = null,
  slice?: Slice<ClusterOrder>,
): Promise<Cluster[]> {
  const [createdAt, id] = slice?.after ?? [];
  return scope.read(clustersOfOrganization, [
    scope.organizationId,
    createdAt?.toISOString() ?? '-infinity',
    id ?? NIL_ID,
    visible === null ? null : `{${visible.join(',')}}`,
    slice === undefined ? null : String(slice.limit),
  ]);
}

/** Clusters that can still be restored, latest deletion first. The parameters are those of `listClusters`. */
export async function listDeletedClusters(
  scope: Scope,
  visible: readonly string[] | null = null,
  slice?: Slice<ClusterOrder>,
): Promise<Cluster[]> {
  const [deletedAt, id] = slice?.after ?? [];
  const rows = await scope.tx.virtualCluster.findMany({
    where: {
      organizationId: scope.organizationId,
      deletedAt: {
        gt: new Date(scope.now.getTime() - RESTORE_WINDOW_MS),
        ...(deletedAt === undefined ? {} : { lte: deletedAt }),
      },
      ...(deletedAt === undefined || id === undefined
        ? {}
        : { OR: [{ deletedAt: { lt: deletedAt } }, { id: { gt: id } }] }),
      ...(visible === null ? {} : { AND: { id: { in: [...visible] } } }),
    },
    orderBy: [{ deletedAt: 'desc' }, { id: 'asc' }],
    ...(slice === undefined ? {} : { take: slice.limit }),
    select: clusterColumns,
  });
  return rows.map(toCluster);
}
