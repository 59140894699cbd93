// One thing that a page shows of a cluster's live state.

import type { Database } from '@penstock/database/client';
import { inTenant, type Scope } from '../access/scope.ts';
import { findCluster } from './cluster.ts';
import { type LivePart, type LivePartData, type LivePartKind, livePart } from './live-parts.ts';
import type { LiveViews } from './live-views.ts';

/**
 * Holds no transaction while the owner is asked.
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function readLivePart<Kind extends LivePartKind>(
  services: { database: Database; liveViews: LiveViews },
  scope: Omit<Scope, 'tx'>,
  { clusterId, ...part }: { clusterId: string } & LivePart<Kind>,
): Promise<LivePartData[Kind]> {
  const cluster = await inTenant(services.database, scope.organizationId, (tx) =>
    findCluster({ ...scope, tx }, clusterId),
  );
  return livePart(await services.liveViews.newest(cluster.id), part as LivePart<Kind>);
}
