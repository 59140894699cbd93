// Folds a cluster's journal into its usage ledger, in order and exactly once: rows, meter blocks and checkpoint move in one
// transaction, so a crash at any point loses nothing and doubles nothing.
import type { Pool, PoolClient } from 'pg';
import { HourlyTotals, type HourTotals } from './hourly-totals.ts';
import { type MeterBlock, MeterBlockChain } from './meter-block.ts';
import { readEntry } from './read-entry.ts';

/** An entry between two others is missing: folding past it would bill too little, for ever. */
export class JournalGap extends Error {
  override readonly name = 'JournalGap';
}

/** Entries per transaction: keeps each short and the memory bounded. */
export const entriesPerFold = 100;
/** Entries that begin within this much are taken; a group commit of a busy cluster can have tens of MB. */
const bytesPerFold = 32 * 1024 * 1024;

export interface FoldResult {
  foldedEntries: number;
  /** Whether the journal had nothing to fold. */
  isCaughtUp: boolean;
}

/** Points within a fold at which a test ends the process. */
export type FoldBarrier = 'checkpoint-locked' | 'hours-written' | 'blocks-written' | 'checkpoint-moved' | 'committed';

/**
 * Folds the next stretch of a cluster's journal. Two calls at once for one cluster take turns.
 * @param pass for tests: called at each barrier
 * @throws JournalGap when an entry is missing
 */
export async function foldJournal(
  pool: Pool,
  clusterId: string,
  pass: (barrier: FoldBarrier) => Promise<void> = async () => undefined,
): Promise<FoldResult> {
  const client = await pool.connect();
  let result: FoldResult;
  try {
    await client.query('BEGIN');
    result = await foldStretch(client, clusterId, pass);
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

interface EntryRow {
  seq: string;
  organization_id: string;
  entry: Buffer;
}

async function foldStretch(
  client: PoolClient,
  clusterId: string,
  pass: (barrier: FoldBarrier) => Promise<void>,
): Promise<FoldResult> {
  const checkpoint = await lockCheckpoint(client, clusterId);
  await pass('checkpoint-locked');
  const { rows } = await client.query<EntryRow>({
    name: 'fold-read',
    text: `SELECT seq, organization_id, entry FROM (
             SELECT seq, organization_id, entry, sum(octet_length(entry)) OVER (ORDER BY seq) - octet_length(entry) AS bytes_before
             FROM (SELECT seq, organization_id, entry FROM metadata_journal
                   WHERE cluster_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) page
           ) bounded WHERE bytes_before < $4 ORDER BY seq`,
    values: [clusterId, checkpoint.toString(), entriesPerFold, bytesPerFold],
  });
  const last = rows.at(-1);
  if (last === undefined) return { foldedEntries: 0, isCaughtUp: true };

  const totals = new HourlyTotals();
  const chain = new MeterBlockChain(await readLastBlock(client, clusterId));
  let expected = checkpoint + 1n;
  let entryAtMs = 0;
  for (const row of rows) {
    const seq = BigInt(row.seq);
    if (seq !== expected) throw new JournalGap(`Cluster ${clusterId}: entry ${expected} is missing before ${seq}.`);
    const reading = readEntry(row.entry);
    totals.add(seq, reading);
    chain.add(seq, row.entry, reading);
    entryAtMs = Math.max(entryAtMs, reading.atMs);
    expected += 1n;
  }
  for (const hour of totals.hours) await addToHour(client, clusterId, last.organization_id, hour);
  await pass('hours-written');
  for (const block of chain.changed) await writeBlock(client, clusterId, block);
  await pass('blocks-written');
  await client.query({
    name: 'fold-checkpoint',
    text: `UPDATE metering_checkpoint SET seq = $2, folded_at = now(),
             entry_at = greatest(entry_at, to_timestamp($3::double precision / 1000))
           WHERE cluster_id = $1`,
    values: [clusterId, last.seq, entryAtMs],
  });
  await pass('checkpoint-moved');
  return { foldedEntries: rows.length, isCaughtUp: false };
}

/** The last folded entry, 0 before the first; held until the transaction ends. */
async function lockCheckpoint(client: PoolClient, clusterId: string): Promise<bigint> {
  await client.query({
    name: 'fold-checkpoint-create',
    text: `INSERT INTO metering_checkpoint (cluster_id, seq, entry_at) VALUES ($1, 0, to_timestamp(0)) ON CONFLICT DO NOTHING`,
    values: [clusterId],
  });
  const { rows } = await client.query<{ seq: string }>({
    name: 'fold-checkpoint-lock',
    text: 'SELECT seq FROM metering_checkpoint WHERE cluster_id = $1 FOR UPDATE',
    values: [clusterId],
  });
  return BigInt(rows[0]?.seq ?? '0');
}

async function addToHour(
  client: PoolClient,
  clusterId: string,
  organizationId: string,
  hour: HourTotals,
): Promise<void> {
  await client.query({
    name: 'fold-hour',
    text: `INSERT INTO usage_hour AS u (cluster_id, hour, organization_id, uncompressed_bytes, stored_bytes, records, files,
             cluster_minutes, first_seq, last_seq)
           VALUES ($1, to_timestamp($2::double precision / 1000), $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (cluster_id, hour) DO UPDATE SET
             uncompressed_bytes = u.uncompressed_bytes + excluded.uncompressed_bytes,
             stored_bytes = u.stored_bytes + excluded.stored_bytes,
             records = u.records + excluded.records,
             files = u.files + excluded.files,
             cluster_minutes = u.cluster_minutes + excluded.cluster_minutes,
             last_seq = excluded.last_seq`,
    values: [
      clusterId,
      hour.hourMs,
      organizationId,
      hour.uncompressedBytes.toString(),
      hour.storedBytes.toString(),
      hour.records.toString(),
      hour.files.toString(),
      hour.clusterMinutes,
      hour.firstSeq.toString(),
      hour.lastSeq.toString(),
    ],
  });
}

async function readLastBlock(client: PoolClient, clusterId: string): Promise<MeterBlock | undefined> {
  const { rows } = await client.query<{
    first_seq: string;
    last_seq: string;
    bytes_per_minute: Record<string, number>;
    hash: Buffer;
    previous_hash: Buffer;
  }>({
    name: 'fold-block-read',
    text: `SELECT first_seq, last_seq, bytes_per_minute, hash, previous_hash FROM metadata_meter_block
           WHERE cluster_id = $1 ORDER BY first_seq DESC LIMIT 1`,
    values: [clusterId],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    firstSeq: BigInt(row.first_seq),
    lastSeq: BigInt(row.last_seq),
    bytesPerMinute: row.bytes_per_minute,
    hash: new Uint8Array(row.hash),
    previousHash: new Uint8Array(row.previous_hash),
  };
}

async function writeBlock(client: PoolClient, clusterId: string, block: MeterBlock): Promise<void> {
  await client.query({
    name: 'fold-block-write',
    text: `INSERT INTO metadata_meter_block (cluster_id, first_seq, last_seq, bytes_per_minute, hash, previous_hash)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (cluster_id, first_seq) DO UPDATE SET
             last_seq = excluded.last_seq, bytes_per_minute = excluded.bytes_per_minute, hash = excluded.hash`,
    values: [
      clusterId,
      block.firstSeq.toString(),
      block.lastSeq.toString(),
      JSON.stringify(block.bytesPerMinute),
      Buffer.from(block.hash),
      Buffer.from(block.previousHash),
    ],
  });
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
