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

/** A row's share of headers and indexes. */
const ROW_OVERHEAD_BYTES = 100;

/** The metrics pushed to one agent in one window. */
export interface ClientRow {
  clusterId: string;
  /** The slot's time in ISO 8601. */
  slot: string;
  agentNo: string;
  sequence: number;
  pushed: PushedInWindow;
}

/** The pushes of one client ID, or pushes that the agent has left out. */
export type PushedInWindow = { clientId: string; sample: ClientSample } | { leftOutPushes: number };

/**
 * Inserts the rows that are new, as long as their clusters' bytes of the hour last, and counts the pushes that are dropped. Call it before the
 * report of the same window is stored, which marks the slot for roll-up: rows of a report that is stored already are neither inserted nor
 * counted again. Calls at the same time may each exceed the hour's bytes once.
 * @returns the pushes that were dropped
 * @throws when the database fails: some of the rows may be stored, and the same ones may be inserted again
 */
export async function insertClientRows(pool: Pool, rows: readonly ClientRow[], bytesPerHour: number): Promise<number> {
  let dropped = 0;
  for (let first = 0; first < rows.length; first += MAX_ROWS) {
    dropped += await insertSome(pool, rows.slice(first, first + MAX_ROWS), bytesPerHour);
  }
  return dropped;
}

async function insertSome(pool: Pool, rows: readonly ClientRow[], bytesPerHour: number): Promise<number> {
  const samples = rows.map(({ pushed }) => ('sample' in pushed ? pushed : undefined));
  const { rows: counts } = await pool.query<{ dropped: number }>({
    name: 'telemetry-store-clients',
    text: `WITH given AS (
             SELECT *, date_trunc('hour', slot, 'UTC') AS hour,
               octet_length(client_id) + pg_column_size(sample) + ${ROW_OVERHEAD_BYTES} AS bytes
             FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::text[], $6::jsonb[], $7::float8[])
               WITH ORDINALITY AS given (cluster_id, slot, agent_no, seq, client_id, sample, pushes, place)
             WHERE NOT EXISTS (
               SELECT 1 FROM telemetry.agent_10s AS known WHERE known.cluster_id = given.cluster_id
                 AND known.slot = given.slot AND known.agent_no = given.agent_no AND known.seq = given.seq)
           ), judged AS (
             SELECT given.*, sample IS NOT NULL AND coalesce(stored_bytes, 0)
               + sum(bytes) OVER (PARTITION BY given.cluster_id, given.hour ORDER BY place) <= $8 AS fits
             FROM given LEFT JOIN telemetry.client_hour USING (cluster_id, hour)
           ), stored AS (
             INSERT INTO telemetry.client_10s (cluster_id, slot, client_id, agent_no, seq, sample)
             SELECT cluster_id, slot, client_id, agent_no, seq, sample FROM judged WHERE fits
             ON CONFLICT DO NOTHING
           ), counted AS (
             INSERT INTO telemetry.client_hour AS known (cluster_id, hour, stored_bytes, dropped_pushes)
             SELECT cluster_id, hour, coalesce(sum(bytes) FILTER (WHERE fits), 0),
               coalesce(sum(pushes) FILTER (WHERE NOT fits), 0)
             FROM judged GROUP BY cluster_id, hour ORDER BY cluster_id, hour
             ON CONFLICT (cluster_id, hour) DO UPDATE SET
               stored_bytes = known.stored_bytes + excluded.stored_bytes,
               dropped_pushes = known.dropped_pushes + excluded.dropped_pushes
           )
           SELECT coalesce(sum(pushes) FILTER (WHERE NOT fits), 0)::float8 AS dropped FROM judged`,
    values: [
      rows.map(({ clusterId }) => clusterId),
      rows.map(({ slot }) => slot),
      rows.map(({ agentNo }) => agentNo),
      rows.map(({ sequence }) => sequence),
      samples.map((pushed) => pushed?.clientId),
      samples.map((pushed) => (pushed === undefined ? undefined : JSON.stringify(toStoredClientSample(pushed.sample)))),
      rows.map(({ pushed }) => ('sample' in pushed ? pushesIn(pushed.sample) : pushed.leftOutPushes)),
      bytesPerHour,
    ],
  });
  return counts[0]?.dropped ?? 0;
}

/** Each push has at most one reading of a metric. */
function pushesIn({ metrics }: ClientSample): number {
  return Math.max(1, ...[...metrics.values()].map(({ readings }) => readings));
}

/** Deletes the counts of hours whose values have expired at every level. */
export async function expireClientHours(pool: Pool, nowMs: number): Promise<void> {
  await pool.query('DELETE FROM telemetry.client_hour WHERE hour < $1', [
    new Date(nowMs - levelFacts['1h'].retentionMs),
  ]);
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
