// Reads the two newest telemetry windows of every agent of many clusters in one query.
import type { Database } from '@penstock/database/client';
import type { AgentWindow } from '@penstock/health';
import { decodeSample, MalformedSample, readDiagnosis, type Sample } from '@penstock/telemetry';

/** Two windows, half a slot, and the transmission time. */
const LOOK_BACK_MS = 45_000;

interface Row {
  cluster_id: string;
  agent_id: string;
  slot: Date;
  sample: Uint8Array;
  diagnosis: unknown;
}

export async function readWindows(
  database: Database,
  clusterIds: readonly string[],
  now: Date,
): Promise<Map<string, AgentWindow[]>> {
  const windows = new Map<string, AgentWindow[]>();
  if (clusterIds.length === 0) {
    return windows;
  }
  const rows = await database.$queryRaw<Row[]>`
    SELECT report.cluster_id, agent_id, slot, sample, CASE WHEN age = 1 AND is_troubled THEN diagnosis END AS diagnosis
    FROM (
      SELECT cluster_id, agent_no, slot, sample, row_number() OVER (PARTITION BY agent_no ORDER BY slot DESC, seq DESC) AS age
      FROM telemetry.agent_10s
      WHERE cluster_id = ANY(${[...clusterIds]}::uuid[]) AND slot >= ${new Date(now.getTime() - LOOK_BACK_MS)}
        AND slot <= ${new Date(now.getTime() + LOOK_BACK_MS)}
    ) AS report JOIN telemetry.agent USING (agent_no)
    WHERE age <= 2`;
  for (const { cluster_id: clusterId, agent_id: agentId, slot, sample: bytes, diagnosis } of rows) {
    const sample = readable(bytes);
    if (sample === undefined) {
      continue;
    }
    const window = { agentId, slotMs: slot.getTime(), sample, diagnosis: readDiagnosis(diagnosis) };
    const known = windows.get(clusterId);
    if (known === undefined) {
      windows.set(clusterId, [window]);
    } else {
      known.push(window);
    }
  }
  return windows;
}

/** Undefined for a format of a later version, so that one unreadable agent does not hide all clusters. */
function readable(bytes: Uint8Array): Sample | undefined {
  try {
    return decodeSample(bytes);
  } catch (error) {
    if (error instanceof MalformedSample) {
      return undefined;
    }
    throw error;
  }
}
