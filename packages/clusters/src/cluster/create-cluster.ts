// Creates a virtual cluster. It is only metadata: without agents it costs nothing.
import { AppError, newId } from '@penstock/platform';
import { assertNotSuspended, recordAudit, type Scope } from '@penstock/tenancy';
import { type Cluster, type ClusterMode, clusterColumns, explainNameTaken, toCluster } from './cluster.ts';

export interface NewCluster {
  name: string;
  cloud: string;
  region: string;
  mode: ClusterMode;
  autoCreateTopics: boolean;
  defaultPartitions: number;
  deletionProtection: boolean;
}

/** Keeps lists of clusters short enough to show in full. */
const MAX_CLUSTERS = 200;

/**
 * @param assertMayCreate throws if the organization may not create clusters now; billing decides that, and this package
 * does not depend on billing
 * @throws AppError `organization_suspended`, `cluster_name_taken`, `cluster_limit`, and what `assertMayCreate` throws
 */
export async function createCluster(
  scope: Scope,
  input: NewCluster,
  assertMayCreate: (scope: Scope) => Promise<void>,
): Promise<Cluster> {
  const { tx, organizationId, now } = scope;
  await assertNotSuspended(scope);
  await assertMayCreate(scope);
  const count = await tx.virtualCluster.count({ where: { organizationId } });
  if (count >= MAX_CLUSTERS) {
    throw new AppError({
      kind: 'refused',
      code: 'cluster_limit',
      message: `This organization has reached the limit of ${count} clusters, including deleted ones.`,
      remedy: 'Delete a cluster and wait until it is permanently deleted, or contact us.',
    });
  }
  const id = newId(now.getTime());
  const row = await tx.virtualCluster
    .create({
      data: {
        id,
        organizationId,
        ...input,
        confirmAgentAddresses: true,
        allowAgentAdministration: false,
        createdBy: scope.actor.id,
        createdAt: now,
        updatedAt: now,
      },
      select: clusterColumns,
    })
    .catch((error: unknown) => {
      throw explainNameTaken(error, input.name);
    });
  await recordAudit(scope, { action: 'cluster.create', targetType: 'cluster', targetId: id, after: { ...input } });
  return toCluster(row);
}
