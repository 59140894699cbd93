// A cluster's event log, newest first, in pages.
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type CloudEvent, toCloudEvent } from './cluster-event.ts';

export interface EventPage {
  events: CloudEvent[];
  /** For the next page, of older events; null at the end. */
  nextCursor: string | null;
}

/** @throws AppError `cluster_not_found` */
export async function listEvents(
  scope: Scope,
  input: {
    clusterId: string;
    limit: number;
    cursor?: string | null | undefined;
    /** Only events with this subject, e.g. `agent/12`; omitted for all events. */
    subject?: string | undefined;
  },
): Promise<EventPage> {
  const cluster = await findCluster(scope, input.clusterId);
  const rows = await scope.tx.clusterEvent.findMany({
    where: {
      clusterId: cluster.id,
      organizationId: scope.organizationId,
      ...(input.subject === undefined ? {} : { subject: input.subject }),
      ...(input.cursor == null ? {} : { id: { lt: input.cursor } }),
    },
    orderBy: { id: 'desc' },
    take: input.limit + 1,
  });
  const page = rows.slice(0, input.limit);
  return {
    events: page.map(toCloudEvent),
    nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null,
  };
}
