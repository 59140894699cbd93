// The queries of metering, billing and housekeeping on a cell's tables. Other packages have no SQL of their own on these tables.
import type { QueryResultRow } from 'pg';

interface Query {
  name: string;
  text: string;
  values: unknown[];
}

/** A pool, a client, or the caller's transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(query: Query): Promise<{ rows: Row[] }>;
}

export interface JournalRow {
  seq: bigint;
  organizationId: string;
  entry: Buffer;
  appendedAt: Date;
}

/** Limits of a section of the journal. */
export interface StretchBounds {
  entries: number;
  /** Reads the entries that start within this many bytes: at least one, however large. */
  bytes: number;
}

/** The next entries of a cluster's journal after `afterSeq`, in order. If their numbers are not consecutive, entries are missing. */
export async function readStretch(
  cell: Queryable,
  clusterId: string,
  afterSeq: bigint,
  bounds: StretchBounds,
): Promise<JournalRow[]> {
  const { rows } = await cell.query<{ seq: string; organization_id: string; entry: Buffer; appended_at: Date }>({
    name: 'metering-stretch',
    text: `SELECT seq, organization_id, entry, appended_at FROM (
             SELECT *, sum(octet_length(entry)) OVER (ORDER BY seq) - octet_length(entry) AS bytes_before
             FROM (SELECT seq, organization_id, entry, appended_at FROM metadata_journal
                   WHERE cluster_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) page
           ) bounded WHERE bytes_before < $4 ORDER BY seq`,
    values: [clusterId, afterSeq.toString(), bounds.entries, bounds.bytes],
  });
  return rows.map((row) => ({
    seq: BigInt(row.seq),
    organizationId: row.organization_id,
    entry: row.entry,
    appendedAt: row.appended_at,
  }));
}

export interface JournalExtent {
  /** Null: the journal is empty. */
  firstSeq: bigint | null;
  lastSeq: bigint | null;
  /** SHA-256 of the requested entry; null when it is not in the journal. */
  entrySha256: Buffer | null;
}

/** The first and last entry of a journal, and the SHA-256 of one of its entries. */
export async function readExtent(cell: Queryable, clusterId: string, seq: bigint): Promise<JournalExtent> {
  const { rows } = await cell.query<{ first: string | null; last: string | null; sha256: Buffer | null }>({
    name: 'journal-extent',
    text: `SELECT (SELECT min(seq) FROM metadata_journal WHERE cluster_id = $1) AS first,
             (SELECT max(seq) FROM metadata_journal WHERE cluster_id = $1) AS last,
             (SELECT sha256(entry) FROM metadata_journal WHERE cluster_id = $1 AND seq = $2) AS sha256`,
    values: [clusterId, seq.toString()],
  });
  const [row] = rows;
  return {
    firstSeq: row?.first == null ? null : BigInt(row.first),
    lastSeq: row?.last == null ? null : BigInt(row.last),
    entrySha256: row?.sha256 ?? null,
  };
}

/** Entries after `foldedSeq`, and up to where the journal may have been cut: its oldest snapshot, 0 without one. */
export async function readBacklog(
  cell: Queryable,
  clusterId: string,
  foldedSeq: bigint,
): Promise<{ waitingEntries: number; oldestSnapshotSeq: bigint }> {
  const { rows } = await cell.query<{ waiting: string; snapshot: string | null }>({
    name: 'journal-backlog',
    text: `SELECT (SELECT count(*) FROM metadata_journal WHERE cluster_id = $1 AND seq > $2) AS waiting,
             (SELECT min(seq) FROM metadata_snapshot WHERE cluster_id = $1) AS snapshot`,
    values: [clusterId, foldedSeq.toString()],
  });
  return { waitingEntries: Number(rows[0]?.waiting ?? 0), oldestSnapshotSeq: BigInt(rows[0]?.snapshot ?? '0') };
}

export interface FoldedCluster {
  clusterId: string;
  /** The last folded entry; 0 before the first. */
  foldedSeq: bigint;
}

/** Those of these clusters with entries that are not folded, and when the oldest of these was appended. */
export async function readUnfolded(cell: Queryable, clusters: readonly FoldedCluster[]): Promise<Map<string, Date>> {
  if (clusters.length === 0) {
    return new Map();
  }
  const { rows } = await cell.query<{ cluster_id: string; appended_at: Date }>({
    name: 'journal-unfolded',
    text: `SELECT c.cluster_id, next.appended_at FROM unnest($1::uuid[], $2::bigint[]) AS c (cluster_id, seq)
           CROSS JOIN LATERAL (
             SELECT appended_at FROM metadata_journal j WHERE j.cluster_id = c.cluster_id AND j.seq > c.seq
             ORDER BY j.seq LIMIT 1
           ) next`,
    values: [clusters.map((cluster) => cluster.clusterId), clusters.map((cluster) => cluster.foldedSeq.toString())],
  });
  return new Map(rows.map((row) => [row.cluster_id, row.appended_at]));
}

/**
 * Records that all entries up to this one are in the ledger, so that they may be cut. Call it after the ledger's transaction: a crash in
 * between only delays a cut.
 */
export async function markFolded(cell: Queryable, clusterId: string, seq: bigint): Promise<void> {
  await cell.query({
    name: 'journal-mark-folded',
    text: `INSERT INTO metadata_folded AS folded (cluster_id, seq) VALUES ($1, $2)
           ON CONFLICT (cluster_id) DO UPDATE SET seq = excluded.seq WHERE folded.seq < excluded.seq`,
    values: [clusterId, seq.toString()],
  });
}

/** The clusters that some process has open. */
export async function readOpenClusters(cell: Queryable): Promise<string[]> {
  const { rows } = await cell.query<{ cluster_id: string }>({
    name: 'lease-open-clusters',
    text: `SELECT cluster_id FROM metadata_lease WHERE placement IN ('here', 'leaving') AND expires_at > clock_timestamp()`,
    values: [],
  });
  return rows.map((row) => row.cluster_id);
}

export interface StoppedClusterRow {
  readonly clusterId: string;
  /** Set when it stopped for a broken invariant. */
  readonly fault: { readonly seq: number; readonly command: string; readonly sha256: string } | null;
}

/** The clusters that are stopped until an operator decides. Queries the control database. */
export async function readStoppedClusters(control: Queryable): Promise<StoppedClusterRow[]> {
  const { rows } = await control.query<{
    cluster_id: string;
    last_seq: string;
    fault_command: string | null;
    fault_sha256: string | null;
  }>({
    name: 'stops-open',
    text: 'SELECT cluster_id, last_seq, fault_command, fault_sha256 FROM metadata_stop WHERE resolved_at IS NULL',
    values: [],
  });
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    fault:
      row.fault_command === null || row.fault_sha256 === null
        ? null
        : { seq: Number(row.last_seq), command: row.fault_command, sha256: row.fault_sha256 },
  }));
}

const CELL_TABLES = [
  'metadata_snapshot',
  'metadata_journal',
  'metadata_folded',
  'metadata_dead_file',
  'metadata_lease',
] as const;

/** Deletes everything that a cell holds of a cluster. */
export async function forgetCluster(cell: Queryable, clusterId: string): Promise<void> {
  for (const table of CELL_TABLES) {
    await deleteRows(cell, table, clusterId);
  }
}

/** Deletes everything that the control database holds of a cluster: its rows as a cell, and the stops. */
export async function forgetClusterAtHome(control: Queryable, clusterId: string): Promise<void> {
  await forgetCluster(control, clusterId);
  await deleteRows(control, 'metadata_stop', clusterId);
}

async function deleteRows(
  database: Queryable,
  table: (typeof CELL_TABLES)[number] | 'metadata_stop',
  clusterId: string,
): Promise<void> {
  await database.query({
    name: `forget-${table}`,
    text: `DELETE FROM ${table} WHERE cluster_id = $1::uuid`,
    values: [clusterId],
  });
}
