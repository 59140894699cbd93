// Adds events to a cluster's log, in the transaction of the change that they describe.
import { newId } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';
import type { NewClusterEvent } from './cluster-event.ts';

export async function recordEvents(
  scope: Pick<Scope, 'tx' | 'organizationId' | 'now'>,
  clusterId: string,
  events: readonly NewClusterEvent[],
): Promise<void> {
  if (events.length === 0) {
    return;
  }
  const { tx, organizationId, now } = scope;
  await tx.clusterEvent.createMany({
    data: events.map((event) => ({ id: newId(now.getTime()), clusterId, organizationId, ...event, at: now })),
  });
}
