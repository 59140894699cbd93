// Rolls finer levels up to coarser ones: agents to zones, ten seconds to minutes, minutes to hours. A slot is always computed as a whole
// from the level below, so repeating it changes nothing, and a late report causes it to be repeated.

import { inShardsSql } from '@penstock/platform';
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
/** Slots that are looked for at once. */
const SLOTS_PER_LOOK = 500;
/** Samples that are read at once, some kilobytes each. A slot with more of them is read alone, in parts. */
const SAMPLES_AT_ONCE = 1_500;

interface DueSlot {
  slot: Date;
  cluster_id: string;
}

interface SizedSlot extends DueSlot {
  /** Samples of agents to read. */
  samples: number;
}

export interface RollUpOptions {
  /** The shards whose clusters are rolled up; all without it. */
  shards?: readonly number[] | undefined;
  /** Ends the work between two transactions. */
  signal?: AbortSignal | undefined;
}

/**
 * Rolls up what is due, many clusters per transaction. May run in several processes at once, and may be killed at any point.
 * @returns the number of slots rolled up
 */
export async function rollUpTelemetry(pool: Pool, nowMs: number, options: RollUpOptions = {}): Promise<number> {
  let made = 0;
  for (const level of levels) {
    for (const slots of inBatches(await dueSlots(pool, level, nowMs, options.shards))) {
      if (options.signal?.aborted === true) {
        return made;
      }
      made += await rollUpSlots(pool, level, slots);
    }
  }
  return made;
}

/** The level below, or the reports themselves. */
const sources: Record<Level, Level> = { '10s': '10s', '1m': '10s', '1h': '1m' };

async function dueSlots(
  pool: Pool,
  level: Level,
  nowMs: number,
  shards: readonly number[] | undefined,
): Promise<SizedSlot[]> {
  const { slotMs } = levelFacts[level];
  const { rows } = await pool.query<SizedSlot>({
    name: `telemetry-due-${level}`,
    text: `SELECT slot, cluster_id, (
             SELECT count(*)::int FROM telemetry.agent_${sources[level]} source
             WHERE source.cluster_id = due.cluster_id AND source.slot >= due.slot AND source.slot < due.slot + $2 * interval '1 ms'
           ) AS samples
           FROM (
             SELECT slot, cluster_id FROM telemetry.due WHERE level = $1 AND slot <= $3
               AND ${inShardsSql('cluster_id', '$5')}
             ORDER BY slot, cluster_id LIMIT $4
           ) due`,
    values: [level, slotMs, new Date(nowMs - slotMs - GRACE_MS[level]), SLOTS_PER_LOOK, shards ?? null],
  });
  return rows;
}

/** In the order given, so that the oldest slots come first. */
function inBatches(slots: readonly SizedSlot[]): SizedSlot[][] {
  const batches: SizedSlot[][] = [];
  let batch: SizedSlot[] = [];
  let samples = 0;
  for (const slot of slots) {
    if (batch.length > 0 && samples + slot.samples > SAMPLES_AT_ONCE) {
      batches.push(batch);
      batch = [];
      samples = 0;
    }
    batch.push(slot);
    samples += slot.samples;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** @returns how many of them no other process had taken */
function rollUpSlots(pool: Pool, level: Level, due: readonly SizedSlot[]): Promise<number> {
  return inTransaction(pool, async (client) => {
    // Deleted before anything is read: a report that is stored from here on waits for this transaction and makes the slot due again. Slots
    // that others hold are theirs, or come next time: nobody waits for two slots in different orders.
    const { rows: slots } = await client.query<DueSlot>({
      name: 'telemetry-take-due',
      text: `DELETE FROM telemetry.due WHERE ctid = ANY(ARRAY(
               SELECT due.ctid FROM telemetry.due
               JOIN unnest($2::timestamptz[], $3::uuid[]) AS wanted (slot, cluster_id) USING (slot, cluster_id)
               WHERE level = $1 FOR UPDATE OF due SKIP LOCKED))
             RETURNING slot, cluster_id`,
      values: [level, due.map(({ slot }) => slot), due.map(({ cluster_id }) => cluster_id)],
    });
    if (slots.length === 0) {
      return 0;
    }
    const samples = due.reduce((sum, slot) => sum + slot.samples, 0);
    switch (level) {
      case '10s':
        await gatherZones(client, slots);
        await markDue(client, '1m', slots);
        break;
      case '1m':
        await coarsen(client, level, slots, samples);
        await coarsenAllClients(client, level, slots);
        await markDue(client, '1h', slots);
        break;
      case '1h':
        await coarsen(client, level, slots, samples);
        await coarsenAllClients(client, level, slots);
        break;
    }
    return slots.length;
  });
}

/** Always in the same order, so that two of these never wait for each other. */
async function markDue(client: PoolClient, level: Level, slots: readonly DueSlot[]): Promise<void> {
  await client.query({
    name: 'telemetry-mark-due',
    text: `INSERT INTO telemetry.due (level, slot, cluster_id)
           SELECT DISTINCT $1, slot, cluster_id FROM unnest($2::timestamptz[], $3::uuid[]) AS coarser (slot, cluster_id)
           ORDER BY slot, cluster_id
           ON CONFLICT (level, slot, cluster_id) DO UPDATE SET level = excluded.level`,
    values: [
      level,
      slots.map(({ slot }) => new Date(slotStartMs(level, slot.getTime()))),
      slots.map(({ cluster_id }) => cluster_id),
    ],
  });
}

interface MergedSlot {
  slot: Date;
  clusterId: string;
  owner: string;
  /** The first sample, which is also the result if no other follows, as in a zone with one agent. */
  bytes: Buffer;
  /** The result, once there are two. */
  sample: Sample | undefined;
}

/** The merged samples of agents or zones, by slot and cluster. */
class MergedSlots {
  readonly #merged = new Map<string, MergedSlot>();

  add(slot: Date, clusterId: string, owner: string, bytes: Buffer): void {
    const key = `${slot.getTime()} ${clusterId} ${owner}`;
    const before = this.#merged.get(key);
    if (before === undefined) {
      this.#merged.set(key, { slot, clusterId, owner, bytes, sample: undefined });
    } else {
      before.sample = mergeSamples([before.sample ?? decodeSample(before.bytes), decodeSample(bytes)]);
    }
  }

  get all(): MergedSlot[] {
    return [...this.#merged.values()];
  }
}

/** Aggregates the reports of slots by zone. */
async function gatherZones(client: PoolClient, slots: readonly DueSlot[]): Promise<void> {
  const { rows } = await client.query<DueSlot & { zone: string; sample: Buffer }>({
    name: 'telemetry-gather-zones',
    text: `SELECT due.slot, due.cluster_id, zone, sample FROM unnest($1::timestamptz[], $2::uuid[]) AS due (slot, cluster_id)
           JOIN telemetry.agent_10s report ON report.cluster_id = due.cluster_id AND report.slot = due.slot
             AND report.slot >= $3 AND report.slot <= $4
           JOIN telemetry.agent USING (agent_no)`,
    values: [...columnsOf(slots), ...rangeOf(slots)],
  });
  const merged = new MergedSlots();
  for (const { slot, cluster_id, zone, sample } of rows) {
    merged.add(slot, cluster_id, zone, sample);
  }
  await replace(client, 'zone', '10s', merged);
}

/** Computes slots of a level from those of the level below, for each agent and each zone. */
async function coarsen(client: PoolClient, level: Level, slots: readonly DueSlot[], samples: number): Promise<void> {
  const from = sources[level];
  const { slotMs: stepMs } = levelFacts[from];
  const steps = levelFacts[level].slotMs / stepMs;
  // An hour of a thousand agents would be tens of megabytes at once.
  const stepsAtOnce = Math.max(1, Math.floor((steps * SAMPLES_AT_ONCE) / Math.max(samples, 1)));
  for (const kind of ['agent', 'zone'] as const) {
    const { column } = kindColumns[kind];
    const merged = new MergedSlots();
    for (let step = 0; step < steps; step += stepsAtOnce) {
      const [firstMs, lastMs] = rangeOf(slots).map((slot) => slot.getTime());
      const { rows } = await client.query<DueSlot & { owner: string; sample: Buffer }>({
        name: `telemetry-coarsen-${kind}-${from}`,
        text: `SELECT due.slot, due.cluster_id, ${column}::text AS owner, sample
               FROM unnest($1::timestamptz[], $2::uuid[]) AS due (slot, cluster_id)
               JOIN telemetry.${kind}_${from} source ON source.cluster_id = due.cluster_id
                 AND source.slot >= due.slot + $3 * interval '1 ms' AND source.slot < due.slot + $4 * interval '1 ms'
                 AND source.slot >= $5 AND source.slot < $6`,
        values: [
          ...columnsOf(slots),
          step * stepMs,
          Math.min(steps, step + stepsAtOnce) * stepMs,
          new Date((firstMs ?? 0) + step * stepMs),
          new Date((lastMs ?? 0) + steps * stepMs),
        ],
      });
      for (const { slot, cluster_id, owner, sample } of rows) {
        merged.add(slot, cluster_id, owner, sample);
      }
    }
    await replace(client, kind, level, merged);
  }
}

/** Most clusters have no clients that push metrics, so those that do are looked for first. */
async function coarsenAllClients(client: PoolClient, level: Level, slots: readonly DueSlot[]): Promise<void> {
  const from = sources[level];
  const { slotMs } = levelFacts[level];
  const [first, last] = rangeOf(slots);
  const { rows } = await client.query<DueSlot>({
    name: `telemetry-with-clients-${from}`,
    text: `SELECT due.slot, due.cluster_id FROM unnest($1::timestamptz[], $2::uuid[]) AS due (slot, cluster_id)
           WHERE EXISTS (SELECT 1 FROM telemetry.client_${from} source WHERE source.cluster_id = due.cluster_id
             AND source.slot >= due.slot AND source.slot < due.slot + $3 * interval '1 ms'
             AND source.slot >= $4 AND source.slot < $5)`,
    values: [...columnsOf(slots), slotMs, first, new Date(last.getTime() + slotMs)],
  });
  for (const { slot, cluster_id: clusterId } of rows) {
    await coarsenClients(client, { level, slotMs: slot.getTime(), clusterId }, from);
  }
}

function columnsOf(slots: readonly DueSlot[]): [Date[], string[]] {
  return [slots.map(({ slot }) => slot), slots.map(({ cluster_id }) => cluster_id)];
}

/** The first and the last slot: with them PostgreSQL leaves out the partitions of other days. */
function rangeOf(slots: readonly DueSlot[]): [Date, Date] {
  const times = slots.map(({ slot }) => slot.getTime());
  return [new Date(Math.min(...times)), new Date(Math.max(...times))];
}

const kindColumns = {
  agent: { column: 'agent_no', type: 'bigint' },
  zone: { column: 'zone', type: 'text' },
} as const;

async function replace(client: PoolClient, kind: 'agent' | 'zone', level: Level, { all }: MergedSlots): Promise<void> {
  if (all.length === 0) {
    return;
  }
  const { column, type } = kindColumns[kind];
  await client.query({
    name: `telemetry-replace-${kind}-${level}`,
    text: `INSERT INTO telemetry.${kind}_${level} (cluster_id, slot, ${column}, sample)
           SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::${type}[], $4::bytea[])
           ON CONFLICT (cluster_id, slot, ${column}) DO UPDATE SET sample = excluded.sample`,
    values: [
      all.map(({ clusterId }) => clusterId),
      all.map(({ slot }) => slot),
      all.map(({ owner }) => owner),
      all.map(({ bytes, sample }) => (sample === undefined ? bytes : Buffer.from(encodeSample(sample)))),
    ],
  });
}
