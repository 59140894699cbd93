// Rolls finer levels up to coarser ones: agents to zones, ten seconds to minutes, minutes to hours. A slot is always computed as a whole
// from the level below, so repeating it changes nothing, and a late report causes it to be repeated.
import {
  decodeSample,
  encodeSample,
  type Level,
  levelFacts,
  levels,
  mergeSamples,
  type Sample,
  slotStartMs,
} from '@penstock/telemetry';
import type { Pool, PoolClient } from 'pg';
import { coarsenClients } from './client-store.ts';
import { inTransaction } from './in-transaction.ts';

/**
 * How long after its end a slot is rolled up. The first value covers the shift of windows against slots (half a slot) and the delay of
 * reports. The others leave time for the level below.
 */
const GRACE_MS: Record<Level, number> = { '10s': 8_000, '1m': 20_000, '1h': 60_000 };
/** Maximum number of slots per query. */
const SLOTS_PER_LOOK = 500;

interface DueSlot {
  level: Level;
  slotMs: number;
  clusterId: string;
}

/**
 * Rolls up what is due. May run in several processes at once, and may be killed at any point.
 * @returns the number of slots rolled up
 */
export async function rollUpTelemetry(pool: Pool, nowMs: number): Promise<number> {
  let made = 0;
  for (const level of levels) {
    for (const due of await dueSlots(pool, level, nowMs)) {
      if (await rollUpSlot(pool, due)) {
        made += 1;
      }
    }
  }
  return made;
}

async function dueSlots(pool: Pool, level: Level, nowMs: number): Promise<DueSlot[]> {
  const { rows } = await pool.query<{ slot: Date; cluster_id: string }>(
    'SELECT slot, cluster_id FROM telemetry.due WHERE level = $1 AND slot <= $2 ORDER BY slot, cluster_id LIMIT $3',
    [level, new Date(nowMs - levelFacts[level].slotMs - GRACE_MS[level]), SLOTS_PER_LOOK],
  );
  return rows.map(({ slot, cluster_id: clusterId }) => ({ level, slotMs: slot.getTime(), clusterId }));
}

/** @returns false when another process was faster */
function rollUpSlot(pool: Pool, due: DueSlot): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // Deleted before anything is read: a report that is stored from here on waits for this transaction and makes the slot due again.
    const { rowCount } = await client.query(
      'DELETE FROM telemetry.due WHERE level = $1 AND slot = $2 AND cluster_id = $3',
      [due.level, new Date(due.slotMs), due.clusterId],
    );
    if (rowCount === 0) {
      return false;
    }
    switch (due.level) {
      case '10s':
        await gatherZones(client, due);
        await markDue(client, '1m', due);
        break;
      case '1m':
        await coarsen(client, due, '10s');
        await coarsenClients(client, due, '10s');
        await markDue(client, '1h', due);
        break;
      case '1h':
        await coarsen(client, due, '1m');
        await coarsenClients(client, due, '1m');
        break;
    }
    return true;
  });
}

async function markDue(client: PoolClient, level: Level, { slotMs, clusterId }: DueSlot): Promise<void> {
  await client.query(
    `INSERT INTO telemetry.due (level, slot, cluster_id) VALUES ($1, $2, $3)
     ON CONFLICT (level, slot, cluster_id) DO UPDATE SET level = excluded.level`,
    [level, new Date(slotStartMs(level, slotMs)), clusterId],
  );
}

/** Aggregates the reports of one slot by zone. */
async function gatherZones(client: PoolClient, { slotMs, clusterId }: DueSlot): Promise<void> {
  const { rows } = await client.query<{ zone: string; sample: Buffer }>({
    name: 'telemetry-gather-zones',
    text: `SELECT zone, sample FROM telemetry.agent_10s JOIN telemetry.agent USING (agent_no)
           WHERE agent_10s.cluster_id = $1 AND slot = $2`,
    values: [clusterId, new Date(slotMs)],
  });
  const zones = new Map<string, Sample[]>();
  for (const { zone, sample } of rows) {
    const samples = zones.get(zone);
    if (samples === undefined) {
      zones.set(zone, [decodeSample(sample)]);
    } else {
      samples.push(decodeSample(sample));
    }
  }
  const merged = new Map([...zones].map(([zone, samples]) => [zone, mergeSamples(samples)]));
  await replace(client, 'zone', '10s', slotMs, clusterId, merged);
}

/** Computes one slot of a level from those of the level below, for each agent and each zone. */
async function coarsen(client: PoolClient, { level, slotMs, clusterId }: DueSlot, from: Level): Promise<void> {
  for (const kind of ['agent', 'zone'] as const) {
    const column = kindColumns[kind].column;
    const merged = new Map<string, Sample>();
    // Slot by slot: an hour of a thousand agents would be tens of megabytes at once.
    const endMs = slotMs + levelFacts[level].slotMs;
    for (let atMs = slotMs; atMs < endMs; atMs += levelFacts[from].slotMs) {
      const { rows } = await client.query<{ owner: string; sample: Buffer }>({
        name: `telemetry-coarsen-${kind}-${from}`,
        text: `SELECT ${column}::text AS owner, sample FROM telemetry.${kind}_${from} WHERE cluster_id = $1 AND slot = $2`,
        values: [clusterId, new Date(atMs)],
      });
      for (const { owner, sample } of rows) {
        const before = merged.get(owner);
        const added = decodeSample(sample);
        merged.set(owner, before === undefined ? added : mergeSamples([before, added]));
      }
    }
    await replace(client, kind, level, slotMs, clusterId, merged);
  }
}

const kindColumns = {
  agent: { column: 'agent_no', type: 'bigint' },
  zone: { column: 'zone', type: 'text' },
} as const;

async function replace(
  client: PoolClient,
  kind: 'agent' | 'zone',
  level: Level,
  slotMs: number,
  clusterId: string,
  samples: ReadonlyMap<string, Sample>,
): Promise<void> {
  const { column, type } = kindColumns[kind];
  await client.query({
    name: `telemetry-replace-${kind}-${level}`,
    text: `INSERT INTO telemetry.${kind}_${level} (cluster_id, slot, ${column}, sample)
           SELECT $1, $2, * FROM unnest($3::${type}[], $4::bytea[])
           ON CONFLICT (cluster_id, slot, ${column}) DO UPDATE SET sample = excluded.sample`,
    values: [
      clusterId,
      new Date(slotMs),
      [...samples.keys()],
      [...samples.values()].map((sample) => Buffer.from(encodeSample(sample))),
    ],
  });
}
