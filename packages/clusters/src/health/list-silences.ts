// The active silences of a cluster.
import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { holdingAt, type Silence, silenceColumns } from './silence.ts';

/** When a silence expires, and its id. */
export type SilenceOrder = readonly [Date, string];

/** Soonest to expire first. @throws AppError `cluster_not_found` */
export async function listSilences(
  scope: Scope,
  input: { clusterId: string },
  slice?: Slice<SilenceOrder>,
): Promise<Silence[]> {
  const { id: clusterId } = await findCluster(scope, input.clusterId);
  const [until, id] = slice?.after ?? [];
  const holding = holdingAt(scope.now);
  return scope.tx.healthSilence.findMany({
    where: {
      clusterId,
      organizationId: scope.organizationId,
      ...holding,
      ...(until === undefined || id === undefined
        ? {}
        : { until: { ...holding.until, gte: until }, OR: [{ until: { gt: until } }, { id: { gt: id } }] }),
    },
    orderBy: [{ until: 'asc' }, { id: 'asc' }],
    ...(slice === undefined ? {} : { take: slice.limit }),
    select: silenceColumns,
  });
}
