// One thing that a page shows of a cluster's live state.
import type { ReadScope } from '@penstock/tenancy';
import { getCluster } from '../cluster/get-cluster.ts';
import { type LivePart, type LivePartData, type LivePartKind, livePart } from './live-parts.ts';
import type { LiveViews } from './live-views.ts';

/** @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function readLivePart<Kind extends LivePartKind>(
  services: { liveViews: LiveViews },
  scope: ReadScope,
  { clusterId, ...part }: { clusterId: string } & LivePart<Kind>,
): Promise<LivePartData[Kind]> {
  const cluster = await getCluster(scope, { clusterId });
  return livePart(await services.liveViews.newest(cluster.id), part as LivePart<Kind>);
}
