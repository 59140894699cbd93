// The newest readings for pages that several people look at: worked out once for all of them within a few seconds.
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentReading, type AgentReadingsInput, latestAgentReadings } from './latest-agent-readings.ts';

/** Agents report every ten seconds: half of that is the most by which a page is behind because of this. */
const SHARED_MS = 5_000;

interface Shared {
  readAtMs: number;
  readings: AgentReading[];
}

/** By cluster and stages. What is past its time is dropped with the next reading of any cluster. */
const shared = new Map<string, Shared>();

/**
 * As `latestAgentReadings`, at most five seconds old. Whether the cluster is the organization's is looked up each time.
 * @throws AppError `cluster_not_found`
 */
export async function sharedAgentReadings(scope: Scope, input: AgentReadingsInput): Promise<AgentReading[]> {
  const cluster = await findCluster(scope, input.clusterId);
  const nowMs = scope.now.getTime();
  const key = [cluster.id, ...(input.stages?.toSorted() ?? ['all'])].join(' ');
  const known = shared.get(key);
  if (known !== undefined && isFresh(known, nowMs)) {
    return known.readings;
  }
  const readings = await latestAgentReadings(scope, input);
  for (const [other, entry] of shared) {
    if (!isFresh(entry, nowMs)) {
      shared.delete(other);
    }
  }
  shared.set(key, { readAtMs: nowMs, readings });
  return readings;
}

function isFresh({ readAtMs }: Shared, nowMs: number): boolean {
  return nowMs >= readAtMs && nowMs < readAtMs + SHARED_MS;
}
