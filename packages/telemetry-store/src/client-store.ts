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
/** Client ids per cluster in a slot of a coarser level. Each agent bounds its own, but a cluster may have a thousand agents. */
const MAX_CLIENT_IDS = 1_000;
/** Rows that are read of one slot, by client id. */
const MAX_ROWS_READ = 10_000;

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

/** Computes one slot of a level from those of the level below, for each client id. Of too many, those that pushed first are kept. */
export async function coarsenClients(
  client: PoolClient,
  { level, slotMs, clusterId }: { level: Level; slotMs: number; clusterId: string },
  from: Level,
): Promise<void> {
  const merged = new Map<string, ClientSample>();
  const { rows: slots } = await client.query<{ slot: Date }>({
    name: `telemetry-client-slots-${from}`,
    text: `SELECT DISTINCT slot FROM telemetry.client_${from} WHERE cluster_id = $1 AND slot >= $2 AND slot < $3 ORDER BY slot`,
    values: [clusterId, new Date(slotMs), new Date(slotMs + levelFacts[level].slotMs)],
  });
  // Slot by slot: clients choose their ids, so all rows together may not fit in memory.
  for (const { slot } of slots) {
    for (const [clientId, samples] of await samplesOf(client, clusterId, slot, from)) {
      const before = merged.get(clientId);
      if (before !== undefined) {
        merged.set(clientId, mergeClientSamples([before, ...samples]));
      } else if (merged.size < MAX_CLIENT_IDS) {
        merged.set(clientId, mergeClientSamples(samples));
      }
    }
  }
  if (merged.size === 0) {
    return;
  }
  await client.query({
    name: `telemetry-replace-clients-${level}`,
    text: `INSERT INTO telemetry.client_${level} (cluster_id, slot, client_id, sample)
           SELECT $1, $2, * FROM unnest($3::text[], $4::jsonb[])
           ON CONFLICT (cluster_id, slot, client_id) DO UPDATE SET sample = excluded.sample`,
    values: [
      clusterId,
      new Date(slotMs),
      [...merged.keys()],
      [...merged.values()].map((sample) => JSON.stringify(toStoredClientSample(sample))),
    ],
  });
}

/** The samples of one slot by client id. */
async function samplesOf(
  client: PoolClient,
  clusterId: string,
  slot: Date,
  from: Level,
): Promise<Map<string, ClientSample[]>> {
  // In a fixed order, so that sums of the same readings are the same to the last bit.
  const order = from === '10s' ? 'client_id, agent_no, seq' : 'client_id';
  const { rows } = await client.query<{ client_id: string; sample: StoredClientSample }>({
    name: `telemetry-coarsen-clients-${from}`,
    text: `SELECT client_id, sample FROM telemetry.client_${from} WHERE cluster_id = $1 AND slot = $2 ORDER BY ${order} LIMIT $3`,
    values: [clusterId, slot, MAX_ROWS_READ],
  });
  const byClient = Map.groupBy(rows, ({ client_id: clientId }) => clientId);
  return new Map(
    [...byClient].map(([clientId, own]) => [clientId, own.map(({ sample }) => fromStoredClientSample(sample))]),
  );
}
