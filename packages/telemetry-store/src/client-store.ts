// Stores and rolls up what Kafka clients pushed of their metrics, by client id.
import {
  type ClientSample,
  fromStoredClientSample,
  type Level,
  levelFacts,
  mergeClientSamples,
  type StoredClientSample,
  toStoredClientSample,
} from '@penstock/telemetry';
import type { Pool, PoolClient } from 'pg';

/** The most rows per statement. A row is about a kilobyte. */
const MAX_ROWS = 1_000;

/** What was pushed to one agent in one window. */
export interface ClientRow {
  clusterId: string;
  /** ISO 8601. */
  slot: string;
  agentNo: string;
  sequence: number;
  clientId: string;
  sample: ClientSample;
}

/**
 * Inserts the rows that are new. Call it before the report of the same window is stored, which marks the slot for roll-up.
 * @throws when the database fails: some of the rows may be stored, and the same ones may be inserted again
 */
export async function insertClientRows(pool: Pool, rows: readonly ClientRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += MAX_ROWS) {
    const some = rows.slice(first, first + MAX_ROWS);
    await pool.query({
      name: 'telemetry-store-clients',
      text: `INSERT INTO telemetry.client_10s (cluster_id, slot, client_id, agent_no, seq, sample)
             SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::bigint[], $5::bigint[], $6::jsonb[])
             ON CONFLICT DO NOTHING`,
      values: [
        some.map(({ clusterId }) => clusterId),
        some.map(({ slot }) => slot),
        some.map(({ clientId }) => clientId),
        some.map(({ agentNo }) => agentNo),
        some.map(({ sequence }) => sequence),
        some.map(({ sample }) => JSON.stringify(toStoredClientSample(sample))),
      ],
    });
  }
}

/** Computes one slot of a level from those of the level below, for each client id. */
export async function coarsenClients(
  client: PoolClient,
  { level, slotMs, clusterId }: { level: Level; slotMs: number; clusterId: string },
  from: Level,
): Promise<void> {
  // In a fixed order, so that sums of the same readings are the same to the last bit.
  const order = from === '10s' ? 'slot, agent_no, seq' : 'slot';
  const { rows } = await client.query<{ client_id: string; sample: StoredClientSample }>({
    name: `telemetry-coarsen-clients-${from}`,
    text: `SELECT client_id, sample FROM telemetry.client_${from} WHERE cluster_id = $1 AND slot >= $2 AND slot < $3 ORDER BY ${order}`,
    values: [clusterId, new Date(slotMs), new Date(slotMs + levelFacts[level].slotMs)],
  });
  if (rows.length === 0) {
    return;
  }
  const byClient = Map.groupBy(rows, ({ client_id: clientId }) => clientId);
  const merged = [...byClient].map(
    ([clientId, samples]) =>
      [clientId, mergeClientSamples(samples.map(({ sample }) => fromStoredClientSample(sample)))] as const,
  );
  await client.query({
    name: `telemetry-replace-clients-${level}`,
    text: `INSERT INTO telemetry.client_${level} (cluster_id, slot, client_id, sample)
           SELECT $1, $2, * FROM unnest($3::text[], $4::jsonb[])
           ON CONFLICT (cluster_id, slot, client_id) DO UPDATE SET sample = excluded.sample`,
    values: [
      clusterId,
      new Date(slotMs),
      merged.map(([clientId]) => clientId),
      merged.map(([, sample]) => JSON.stringify(toStoredClientSample(sample))),
    ],
  });
}
