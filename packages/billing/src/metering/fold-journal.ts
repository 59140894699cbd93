// Folds a cluster's journal into its usage ledger, in order and exactly once: rows, meter blocks and checkpoint move in one
// transaction, so a crash at any point loses nothing and doubles nothing.
import type { Pool, PoolClient } from 'pg';
import { HourlyTotals } from './hourly-totals.ts';
import { addToHours, readNewestBlocks, readStretch, type StretchBounds, writeBlocks } from './ledger-tables.ts';
import { MeterBlockChain } from './meter-block.ts';
import { readEntry } from './read-entry.ts';

/** An entry between two others is missing: folding past it would bill too little, for ever. */
export class JournalGap extends Error {
  override readonly name = 'JournalGap';
}

/**
 * What one transaction folds: enough that its fixed cost does not count (some ten statements), little enough that it is short and its memory
 * small. A group commit of a busy cluster can have tens of MB.
 */
export const foldBounds: StretchBounds = { entries: 2_000, bytes: 16 * 1024 * 1024 };

export interface FoldResult {
  foldedEntries: number;
  /** Whether the journal had nothing to fold. */
  isCaughtUp: boolean;
}

/** Points within a fold at which a test ends the process. */
export const foldBarriers = [
  'checkpoint-locked',
  'hours-written',
  'blocks-written',
  'checkpoint-moved',
  'committed',
] as const;
export type FoldBarrier = (typeof foldBarriers)[number];

export interface FoldOptions {
  bounds?: StretchBounds;
  /** For tests: called at each barrier. */
  pass?: (barrier: FoldBarrier) => Promise<void>;
}

/**
 * Folds the next stretch of a cluster's journal. Two calls at once for one cluster take turns.
 * @throws JournalGap when an entry is missing
 */
export async function foldJournal(pool: Pool, clusterId: string, options: FoldOptions = {}): Promise<FoldResult> {
  const { bounds = foldBounds, pass = async () => undefined } = options;
  const client = await pool.connect();
  let result: FoldResult;
  try {
    await client.query('BEGIN');
    result = await foldStretch(client, clusterId, bounds, pass);
    await client.query('COMMIT');
  } catch (error) {
    // The server rolls back whatever the connection had open.
    client.release(true);
    throw error;
  }
  client.release();
  await pass('committed');
  return result;
}

async function foldStretch(
  client: PoolClient,
  clusterId: string,
  bounds: StretchBounds,
  pass: (barrier: FoldBarrier) => Promise<void>,
): Promise<FoldResult> {
  const checkpoint = await lockCheckpoint(client, clusterId);
  await pass('checkpoint-locked');
  const rows = await readStretch(client, clusterId, checkpoint, bounds);
  const last = rows.at(-1);
  if (last === undefined) return { foldedEntries: 0, isCaughtUp: true };

  const totals = new HourlyTotals();
  const [newest, beforeNewest] = await readNewestBlocks(client, clusterId, 2);
  const chain = new MeterBlockChain(newest, beforeNewest);
  let expected = checkpoint + 1n;
  let entryAtMs = 0;
  for (const { seq, entry } of rows) {
    if (seq !== expected) throw new JournalGap(`Cluster ${clusterId}: entry ${expected} is missing before ${seq}.`);
    const reading = readEntry(entry);
    totals.add(seq, reading);
    chain.add(seq, entry, reading);
    // Not the latest: after a clock that was ahead, a month must wait for entries that are still to come.
    entryAtMs = reading.atMs;
    expected += 1n;
  }
  await addToHours(client, clusterId, last.organizationId, totals.hours);
  await pass('hours-written');
  await writeBlocks(client, clusterId, chain.sealed());
  await pass('blocks-written');
  await client.query({
    name: 'metering-checkpoint-move',
    text: `UPDATE metering_checkpoint SET seq = $2, folded_at = now(),
             entry_at = to_timestamp($3::double precision / 1000)
           WHERE cluster_id = $1`,
    values: [clusterId, last.seq.toString(), entryAtMs],
  });
  await pass('checkpoint-moved');
  return { foldedEntries: rows.length, isCaughtUp: false };
}

/** The last folded entry, 0 before the first; held until the transaction ends. */
async function lockCheckpoint(client: PoolClient, clusterId: string): Promise<bigint> {
  await client.query({
    name: 'metering-checkpoint-create',
    text: `INSERT INTO metering_checkpoint (cluster_id, seq, entry_at) VALUES ($1, 0, to_timestamp(0)) ON CONFLICT DO NOTHING`,
    values: [clusterId],
  });
  const { rows } = await client.query<{ seq: string }>({
    name: 'metering-checkpoint-lock',
    text: 'SELECT seq FROM metering_checkpoint WHERE cluster_id = $1 FOR UPDATE',
    values: [clusterId],
  });
  return BigInt(rows[0]?.seq ?? '0');
}

/** The clusters whose journal holds entries that are not folded yet, deleted clusters included. */
export async function clustersToFold(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT c.id FROM virtual_cluster c LEFT JOIN metering_checkpoint p ON p.cluster_id = c.id
     WHERE EXISTS (SELECT FROM metadata_journal j WHERE j.cluster_id = c.id AND j.seq > coalesce(p.seq, 0))
     ORDER BY p.folded_at NULLS FIRST`,
  );
  return rows.map((row) => row.id);
}
