// Whether a process should hand over a cluster, and to which other one. Pure: every process computes it for itself, from the same list.
import type { ListedProcess } from '@penstock/metadata-journal';

/** A process begins to hand over when it owns this many times the mean. Further processes within it leave each other alone. */
const BEGIN_AT = 1.2;

export interface BalanceView {
  self: ListedProcess;
  /** All live processes, this one included. */
  processes: readonly ListedProcess[];
  /** Whether this process has begun to hand over its surplus. Then it goes on down to the mean. */
  isShedding: boolean;
}

/** The process that should get one cluster of this one. Undefined: none. */
export function nextReceiver({ self, processes, isShedding }: BalanceView): ListedProcess | undefined {
  const others = processes.filter((process) => process.ownerId !== self.ownerId && mayReceive(process));
  const emptiest = others.reduce<ListedProcess | undefined>(
    (least, process) => (least === undefined || process.clusters < least.clusters ? process : least),
    undefined,
  );
  if (emptiest === undefined || self.clusters === 0) {
    return undefined;
  }
  if (self.isDraining) {
    return emptiest;
  }
  // Clusters of processes that drain will come to the others.
  const clusters = processes.reduce((sum, process) => sum + process.clusters, 0);
  const mean = clusters / (others.length + 1);
  const wholeMean = Math.ceil(mean);
  const limit = isShedding ? wholeMean : Math.max(wholeMean, BEGIN_AT * mean);
  return self.clusters > limit && emptiest.clusters < wholeMean ? emptiest : undefined;
}

/** Why this process opens no further clusters. Only while another one can: service is worth more than an empty process. */
export function drainRefusal({ self, processes }: Pick<BalanceView, 'self' | 'processes'>): string | undefined {
  const hasOther = processes.some((process) => process.ownerId !== self.ownerId && mayReceive(process));
  return self.isDraining && hasOther ? 'an operator drains it' : undefined;
}

function mayReceive({ isAccepting, isDraining }: ListedProcess): boolean {
  return isAccepting && !isDraining;
}
