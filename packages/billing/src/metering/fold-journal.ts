// Folds a cluster's journal into its usage ledger, in order and exactly once. Rows, meter blocks, what Kafka clients
// changed (for the audit log) and the checkpoint change in one transaction of the control plane's database, so a crash
// at any point neither loses nor doubles anything. The
// journal may be in another database, its cell, which is updated afterwards with how much has been counted.
import { createHash } from 'node:crypto';
import { auditClientChanges } from '@penstock/clusters';
import {
  type Cells,
  type JournalRow,
  markFolded,
  readExtent,
  readStretch,
  type StretchBounds,
} from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { failPoint } from '@penstock/platform/fail-point';
import { type AuditRowFacts, recordAuditRows } from '@penstock/tenancy';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { HourlyTotals } from './hourly-totals.ts';
import { addToHours, readNewestBlocks, writeBlocks } from './ledger-tables.ts';
import { MeterBlockChain } from './meter-block.ts';
import { readEntry } from './meter-reading.ts';

/** An entry between two others is missing. Folding past it would bill too little, permanently. */
export class JournalGap extends Error {
  override readonly name = 'JournalGap';
}

/**
 * The journal is not the one that was folded: the last folded entry is missing from its end, or is a different one. Its
 * database has lost a tail that was already billed.
 */
export class JournalChanged extends Error {
  override readonly name = 'JournalChanged';
}

/** The cells except `main`, whose journals are read through the ledger's own connection. */
export type JournalCells = Pick<Cells, 'pool'>;

/**
 * The bounds of one transaction: large enough that its fixed cost (some ten statements) does not matter, small enough
 * to keep it short and its memory small. A group commit of a busy cluster can have tens of MB.
 */
export const foldBounds: StretchBounds = { entries: 2_000, bytes: 16 * 1024 * 1024 };

export interface FoldResult {
  foldedEntries: number;
  /** Whether there was nothing to fold. */
  isCaughtUp: boolean;
}

export interface FoldOptions {
  bounds?: StretchBounds;
}

/**
 * Folds the next section of a cluster's journal. Concurrent calls for one cluster run one after the other.
 * @throws JournalGap if an entry is missing, JournalChanged if the folded entries are no longer the same
 */
export async function foldJournal(
  ledger: Pool,
  cells: JournalCells,
  clusterId: string,
  { bounds = foldBounds }: FoldOptions = {},
): Promise<FoldResult> {
  const client = await ledger.connect();
  let folded: Folded;
  try {
    await client.query('BEGIN');
    folded = await foldStretch(client, cells, clusterId, bounds);
    await client.query('COMMIT');
  } catch (error) {
    // The server rolls back any open transaction of the connection.
    client.release(true);
    throw error;
  }
  client.release();
  await failPoint('fold: committed');
  await markFolded(folded.cell === MAIN_CELL ? ledger : cells.pool(folded.cell), clusterId, folded.throughSeq);
  return folded.result;
}

interface Folded {
  result: FoldResult;
  cell: string;
  throughSeq: bigint;
}

async function foldStretch(
  client: PoolClient,
  cells: JournalCells,
  clusterId: string,
  bounds: StretchBounds,
): Promise<Folded> {
  const checkpoint = await lockCheckpoint(client, clusterId);
  await failPoint('fold: checkpoint-locked');
  // Read under the lock: this cell contains what an earlier fold has counted, even if the cluster is moving.
  const cell = await cellOf(client, clusterId);
  const journal = cell === MAIN_CELL ? client : cells.pool(cell);
  await requireFolded(journal, clusterId, checkpoint);
  const rows = await readStretch(journal, clusterId, checkpoint.seq, bounds);
  const last = rows.at(-1);
  if (last === undefined) {
    return { result: { foldedEntries: 0, isCaughtUp: true }, cell, throughSeq: checkpoint.seq };
  }

  const totals = new HourlyTotals();
  const [newest, beforeNewest] = await readNewestBlocks(client, clusterId, 2);
  const chain = new MeterBlockChain(newest, beforeNewest);
  let expected = checkpoint.seq + 1n;
  let entryAtMs = 0;
  const audited: AuditRowFacts[] = [];
  for (const { seq, entry, organizationId } of rows) {
    if (seq !== expected) {
      throw new JournalGap(`Cluster ${clusterId}: entry ${expected} is missing before ${seq}.`);
    }
    const reading = readEntry(entry);
    totals.add(seq, reading);
    chain.add(seq, entry, reading);
    const made = { organizationId, clusterId, at: new Date(reading.atMs) };
    audited.push(...reading.changes.flatMap((changes) => auditClientChanges(made, changes)));
    // The time of the last entry, not the latest time: after a clock that was ahead, a month must wait for entries that
    // may still come.
    entryAtMs = reading.atMs;
    expected += 1n;
  }
  await addToHours(client, clusterId, last.organizationId, totals.hours);
  await failPoint('fold: hours-written');
  await writeBlocks(client, clusterId, chain.sealed());
  await failPoint('fold: blocks-written');
  // Locks the organization's audit log until the transaction ends, so it comes late.
  await recordAuditRows(client, audited);
  await failPoint('fold: changes-written');
  await moveCheckpoint(client, clusterId, last, entryAtMs);
  await failPoint('fold: checkpoint-moved');
  return { result: { foldedEntries: rows.length, isCaughtUp: false }, cell, throughSeq: last.seq };
}

interface Checkpoint {
  /** The last folded entry, 0 before the first. */
  seq: bigint;
  /**
   * SHA-256 of that entry; null in checkpoints from before it was stored, and once an operator has accepted its loss.
   */
  entrySha256: Buffer | null;
}

async function moveCheckpoint(
  client: PoolClient,
  clusterId: string,
  last: JournalRow,
  entryAtMs: number,
): Promise<void> {
  await client.query({
    name: 'metering-checkpoint-move',
    text: `UPDATE metering_checkpoint SET seq = $2, folded_at = now(), entry_sha256 = $4,
             entry_at = to_timestamp($3::double precision / 1000)
           WHERE cluster_id = $1`,
    values: [clusterId, last.seq.toString(), entryAtMs, createHash('sha256').update(last.entry).digest()],
  });
}

/**
 * The last folded entry may be missing if the journal was cut, because that starts at the oldest entry. It must not be
 * missing at the end, or be a different one.
 */
async function requireFolded(
  journal: ClientBase | Pool,
  clusterId: string,
  { seq, entrySha256 }: Checkpoint,
): Promise<void> {
  if (entrySha256 === null) {
    return;
  }
  const extent = await readExtent(journal, clusterId, seq);
  const isChanged =
    extent.entrySha256 === null
      ? extent.lastSeq !== null && extent.lastSeq < seq
      : !extent.entrySha256.equals(entrySha256);
  if (!isChanged) {
    return;
  }
  throw new JournalChanged(
    `Cluster ${clusterId}: entry ${seq} was folded and is not in the journal any more, whose last entry is ${extent.lastSeq}. ` +
      'Its database has lost what was acknowledged: nothing more is billed until the loss is accepted with npm run admin -- metadata resume.',
  );
}

async function cellOf(client: ClientBase, clusterId: string): Promise<string> {
  const { rows } = await client.query<{ cell: string }>({
    name: 'metering-cell',
    text: 'SELECT cell FROM virtual_cluster WHERE id = $1',
    values: [clusterId],
  });
  return rows[0]?.cell ?? MAIN_CELL;
}

/** Locked until the transaction ends. */
async function lockCheckpoint(client: PoolClient, clusterId: string): Promise<Checkpoint> {
  await client.query({
    name: 'metering-checkpoint-create',
    text: `INSERT INTO metering_checkpoint (cluster_id, seq, entry_at) VALUES ($1, 0, to_timestamp(0)) ON CONFLICT DO NOTHING`,
    values: [clusterId],
  });
  const { rows } = await client.query<{ seq: string; entry_sha256: Buffer | null }>({
    name: 'metering-checkpoint-lock',
    text: 'SELECT seq, entry_sha256 FROM metering_checkpoint WHERE cluster_id = $1 FOR UPDATE',
    values: [clusterId],
  });
  return { seq: BigInt(rows[0]?.seq ?? '0'), entrySha256: rows[0]?.entry_sha256 ?? null };
}
