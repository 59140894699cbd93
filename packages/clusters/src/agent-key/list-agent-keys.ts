// Lists a cluster's agent keys with their names and display prefixes.
import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentKey, agentKeyColumns } from './agent-key.ts';

/** When a key was created, and its id. */
export type AgentKeyOrder = readonly [Date, string];

/** Revoked keys are kept for the record; a page of the dashboard shows the newest thousand. */
const MAX_SHOWN = 1_000;

/** The keys of a cluster, newest first, including revoked ones. @throws AppError `cluster_not_found` */
export async function listAgentKeys(
  scope: Scope,
  input: { clusterId: string },
  slice?: Slice<AgentKeyOrder>,
): Promise<AgentKey[]> {
  const cluster = await findCluster(scope, input.clusterId);
  const [createdAt, id] = slice?.after ?? [];
  return scope.tx.agentKey.findMany({
    where: {
      clusterId: cluster.id,
      organizationId: scope.organizationId,
      ...(createdAt === undefined || id === undefined
        ? {}
        : { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: slice?.limit ?? MAX_SHOWN,
    select: agentKeyColumns,
  });
}
