// The few figures of each agent that a list of a thousand shows: a quarter of what its readings are.
import type { Scope } from '@penstock/tenancy';
import { sharedAgentReadings } from './shared-agent-readings.ts';

export interface AgentFigures {
  agentId: string;
  producedBytesPerS: number;
  fetchedBytesPerS: number;
  /** Answers to clients and requests to the object store. */
  errorsPerS: number;
  cpuCores: number;
  residentBytes: number | null;
  /** Null when nothing was produced. */
  produceP99Ms: number | null;
}

/**
 * Of agents that reported within the last 40 seconds, by id; at most five seconds old.
 * @throws AppError `cluster_not_found`
 */
export async function sharedAgentFigures(scope: Scope, input: { clusterId: string }): Promise<AgentFigures[]> {
  const readings = await sharedAgentReadings(scope, { clusterId: input.clusterId, stages: ['produce'] });
  return readings.map((reading) => ({
    agentId: reading.agentId,
    producedBytesPerS: Math.round(reading.producedBytesPerS),
    fetchedBytesPerS: Math.round(reading.fetchedBytesPerS),
    errorsPerS: reading.errorsPerS + reading.objectErrorsPerS,
    cpuCores: reading.cpuCores,
    residentBytes: reading.residentBytes,
    produceP99Ms: reading.latencies.produce?.p99_ms ?? null,
  }));
}
