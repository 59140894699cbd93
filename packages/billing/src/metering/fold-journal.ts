// Folds the journals of clusters into their usage ledgers, in order and exactly once. Rows, meter blocks, what Kafka clients
// changed (for the audit log) and the checkpoints change in one transaction of the control plane's database, so a crash
// at any point neither loses nor doubles anything. A journal may be in another database, its cell, which is updated
// afterwards with how much has been counted.
import { createHash } from 'node:crypto';
import { auditClientChanges } from '@penstock/clusters';
import {
  type Cells,
  type FoldedCluster,
  type JournalRow,
  markFolded,
  readExtents,
  readStretches,
  type StretchBounds,
} from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { failPoint } from '@penstock/platform/fail-point';
import { type AuditRowFacts, recordAuditRows } from '@penstock/tenancy';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { HourlyTotals } from './hourly-totals.ts';
import { addToHours, type ClusterBlock, type ClusterHour, readNewestBlocks, writeBlocks } from './ledger-tables.ts';
import { type MeterBlock, MeterBlockChain } from './meter-block.ts';
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
 * The bounds of one transaction, over all of its clusters: large enough that its fixed cost (some ten statements) does
 * not matter, small enough to keep it short and its memory small. A group commit of a busy cluster can have tens of MB.
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
  options: FoldOptions = {},
): Promise<FoldResult> {
  const { foldedEntries } = await foldJournals(ledger, cells, [clusterId], options);
  return { foldedEntries, isCaughtUp: foldedEntries === 0 };
}

export interface BatchResult {
  foldedEntries: number;
  /** Clusters that may have more entries. */
  unfinished: string[];
}

/**
 * Folds the next section of each of these journals, in one transaction: all of them or none.
 * @throws as {@link foldJournal}, if any of them cannot be folded
 */
export async function foldJournals(
  ledger: Pool,
  cells: JournalCells,
  clusterIds: readonly string[],
  { bounds = foldBounds }: FoldOptions = {},
): Promise<BatchResult> {
  const client = await ledger.connect();
  let folded: FoldedBatch;
  try {
    await client.query('BEGIN');
    folded = await foldBatch(client, cells, clusterIds, bounds);
    await client.query('COMMIT');
  } catch (error) {
    // The server rolls back any open transaction of the connection.
    client.release(true);
    throw error;
  }
  client.release();
  await failPoint('fold: committed');
  for (const [cell, clusters] of folded.counted) {
    await markFolded(cell === MAIN_CELL ? ledger : cells.pool(cell), clusters);
  }
  return folded.result;
}

interface FoldedBatch {
  result: BatchResult;
  /** By cell: what is in the ledger now. */
  counted: Map<string, FoldedCluster[]>;
}

async function foldBatch(
  client: PoolClient,
  cells: JournalCells,
  clusterIds: readonly string[],
  bounds: StretchBounds,
): Promise<FoldedBatch> {
  const checkpoints = await lockCheckpoints(client, clusterIds);
  await failPoint('fold: checkpoint-locked');
  // Read under the locks: these cells contain what earlier folds have counted, even if a cluster is moving.
  const homes = await cellsOf(client, clusterIds);
  const perCluster = { ...bounds, entries: Math.max(1, Math.floor(bounds.entries / clusterIds.length)) };
  const stretches = new Map<string, JournalRow[]>();
  const unfinished: string[] = [];
  for (const [cell, own] of Map.groupBy(checkpoints, ({ clusterId }) => homes.get(clusterId) ?? MAIN_CELL)) {
    const journal = cell === MAIN_CELL ? client : cells.pool(cell);
    await requireFolded(journal, own);
    const read = await readStretches(journal, own, perCluster);
    unfinished.push(...read.unfinished);
    for (const [clusterId, rows] of read.rows) {
      stretches.set(clusterId, rows);
    }
  }
  const counted = new Map(checkpoints.map(({ clusterId, foldedSeq }) => [clusterId, foldedSeq]));
  const folded = await foldStretches(client, checkpoints, stretches);
  for (const { clusterId, last } of folded) {
    counted.set(clusterId, last.seq);
  }
  return {
    result: { foldedEntries: folded.reduce((sum, { entries }) => sum + entries, 0), unfinished },
    counted: Map.groupBy(
      [...counted].map(([clusterId, foldedSeq]) => ({ clusterId, foldedSeq })),
      ({ clusterId }) => homes.get(clusterId) ?? MAIN_CELL,
    ),
  };
}

async function foldStretches(
  client: PoolClient,
  checkpoints: readonly Checkpoint[],
  stretches: ReadonlyMap<string, JournalRow[]>,
): Promise<FoldedStretch[]> {
  if (stretches.size === 0) {
    return [];
  }
  const newest = await readNewestBlocks(client, [...stretches.keys()], 2);
  const folded = checkpoints.flatMap((checkpoint) => {
    const rows = stretches.get(checkpoint.clusterId);
    return rows === undefined ? [] : [foldStretch(checkpoint, rows, newest.get(checkpoint.clusterId) ?? [])];
  });
  await addToHours(
    client,
    folded.flatMap(({ hours }) => hours),
  );
  await failPoint('fold: hours-written');
  await writeBlocks(
    client,
    folded.flatMap(({ blocks }) => blocks),
  );
  await failPoint('fold: blocks-written');
  // Locks the organizations' audit logs until the transaction ends: late, and always in the same order.
  const audited = folded.flatMap(({ audited: own }) => own);
  await recordAuditRows(client, audited.toSorted(byOrganization));
  await failPoint('fold: changes-written');
  await moveCheckpoints(client, folded);
  await failPoint('fold: checkpoint-moved');
  return folded;
}

function byOrganization(left: AuditRowFacts, right: AuditRowFacts): number {
  return left.organizationId < right.organizationId ? -1 : left.organizationId > right.organizationId ? 1 : 0;
}

interface FoldedStretch {
  clusterId: string;
  entries: number;
  last: JournalRow;
  /** The time of the last entry. */
  entryAtMs: number;
  hours: ClusterHour[];
  blocks: ClusterBlock[];
  audited: AuditRowFacts[];
}

/** Computes the additions of a section to the ledger of its cluster. Pure. */
function foldStretch(
  { clusterId, foldedSeq }: Checkpoint,
  rows: readonly JournalRow[],
  [newest, beforeNewest]: readonly MeterBlock[],
): FoldedStretch {
  const totals = new HourlyTotals();
  const chain = new MeterBlockChain(newest, beforeNewest);
  let expected = foldedSeq + 1n;
  let entryAtMs = 0;
  let last: JournalRow | undefined;
  const audited: AuditRowFacts[] = [];
  for (const row of rows) {
    const { seq, entry, organizationId } = row;
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
    last = row;
  }
  if (last === undefined) {
    throw new RangeError(`Cluster ${clusterId}: a section without entries.`);
  }
  const { organizationId } = last;
  return {
    clusterId,
    entries: rows.length,
    last,
    entryAtMs,
    hours: totals.hours.map((hour) => ({ ...hour, clusterId, organizationId })),
    blocks: chain.sealed().map((block) => ({ ...block, clusterId })),
    audited,
  };
}

interface Checkpoint extends FoldedCluster {
  /**
   * SHA-256 of that entry; null in checkpoints from before it was stored, and once an operator has accepted its loss.
   */
  entrySha256: Buffer | null;
}

async function moveCheckpoints(client: PoolClient, folded: readonly FoldedStretch[]): Promise<void> {
  await client.query({
    name: 'metering-checkpoints-move',
    text: `UPDATE metering_checkpoint p SET seq = moved.seq, folded_at = now(), entry_sha256 = moved.sha256,
             entry_at = to_timestamp(moved.ms::double precision / 1000)
           FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bytea[]) AS moved (cluster_id, seq, ms, sha256)
           WHERE p.cluster_id = moved.cluster_id`,
    values: [
      folded.map(({ clusterId }) => clusterId),
      folded.map(({ last }) => last.seq.toString()),
      folded.map(({ entryAtMs }) => entryAtMs),
      folded.map(({ last }) => createHash('sha256').update(last.entry).digest()),
    ],
  });
}

/**
 * The last folded entry may be missing if the journal was cut, because that starts at the oldest entry. It must not be
 * missing at the end, or be a different one.
 */
async function requireFolded(journal: ClientBase | Pool, checkpoints: readonly Checkpoint[]): Promise<void> {
  const known = checkpoints.filter(({ entrySha256 }) => entrySha256 !== null);
  if (known.length === 0) {
    return;
  }
  const extents = await readExtents(journal, known);
  for (const { clusterId, foldedSeq, entrySha256 } of known) {
    const extent = extents.get(clusterId);
    const isChanged =
      extent === undefined || extent.entrySha256 === null
        ? extent !== undefined && extent.lastSeq !== null && extent.lastSeq < foldedSeq
        : entrySha256 !== null && !extent.entrySha256.equals(entrySha256);
    if (isChanged) {
      throw new JournalChanged(
        `Cluster ${clusterId}: entry ${foldedSeq} was folded and is not in the journal any more, whose last entry is ${extent?.lastSeq}. ` +
          'Its database has lost what was acknowledged: nothing more is billed until the loss is accepted with npm run admin -- metadata resume.',
      );
    }
  }
}

/** The cells of these clusters. One that is not in the result has been purged. */
async function cellsOf(client: ClientBase, clusterIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; cell: string }>({
    name: 'metering-cells',
    text: 'SELECT id, cell FROM virtual_cluster WHERE id = ANY($1::uuid[])',
    values: [clusterIds],
  });
  return new Map(rows.map(({ id, cell }) => [id, cell]));
}

/** Locked until the transaction ends, always in the same order. */
async function lockCheckpoints(client: PoolClient, clusterIds: readonly string[]): Promise<Checkpoint[]> {
  const lock = async (): Promise<Checkpoint[]> => {
    const { rows } = await client.query<{ cluster_id: string; seq: string; entry_sha256: Buffer | null }>({
      name: 'metering-checkpoints-lock',
      text: `SELECT cluster_id, seq, entry_sha256 FROM metering_checkpoint
             WHERE cluster_id = ANY($1::uuid[]) ORDER BY cluster_id FOR UPDATE`,
      values: [clusterIds],
    });
    return rows.map((row) => ({
      clusterId: row.cluster_id,
      foldedSeq: BigInt(row.seq),
      entrySha256: row.entry_sha256,
    }));
  };
  const locked = await lock();
  if (locked.length === new Set(clusterIds).size) {
    return locked;
  }
  await client.query({
    name: 'metering-checkpoints-create',
    text: `INSERT INTO metering_checkpoint (cluster_id, seq, entry_at)
           SELECT id, 0, to_timestamp(0) FROM unnest($1::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
    values: [clusterIds],
  });
  return lock();
}
