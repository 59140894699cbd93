// The few figures per agent that a list of a thousand shows, a quarter of the size of its full readings.
import type { Scope } from '@penstock/tenancy';
import { sharedAgentReadings } from './shared-agent-readings.ts';

export interface AgentFigures {
  agentId: string;
  producedBytesPerS: number;
  fetchedBytesPerS: number;
  /** Failed responses to clients and failed requests to the object store. */
  errorsPerS: number;
  cpuCores: number;
  residentBytes: number | null;
  /** Null if nothing was produced. */
  produceP99Ms: number | null;
}

/**
 * For agents that reported within the last 40 seconds, by id; at most five seconds old.
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
