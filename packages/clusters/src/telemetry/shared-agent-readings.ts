// The latest readings, cached for a few seconds so that people who view the same pages share them.
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AgentReading, type AgentReadingsInput, latestAgentReadings } from './latest-agent-readings.ts';

/** Agents report every ten seconds. Sharing delays a page by at most half of that. */
const SHARED_MS = 5_000;

interface Shared {
  readAtMs: number;
  readings: AgentReading[];
}

/** By cluster and stages. Expired entries are dropped with the next reading of any cluster. */
const shared = new Map<string, Shared>();

/**
 * Like `latestAgentReadings`, at most five seconds old. Checks each time that the cluster belongs to the organization.
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
