// The queries of metering, billing and housekeeping on a cell's tables. Other packages have no SQL of their own on these tables.
import { inShardsSql } from '@penstock/platform';
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
  const { rows } = await readStretches(cell, [{ clusterId, foldedSeq: afterSeq }], bounds);
  return rows.get(clusterId) ?? [];
}

export interface Stretches {
  /** By cluster: its next entries, as {@link readStretch} reads them. */
  rows: Map<string, JournalRow[]>;
  /** Clusters that have more entries. */
  unfinished: string[];
}

/**
 * The next entries of several clusters.
 * @param bounds entries per cluster; bytes of all together
 */
export async function readStretches(
  cell: Queryable,
  clusters: readonly FoldedCluster[],
  bounds: StretchBounds,
): Promise<Stretches> {
  const { rows: found } = await cell.query<{
    cluster_id: string;
    seq: string;
    organization_id: string;
    entry: Buffer | null;
    appended_at: Date;
  }>({
    name: 'metering-stretches',
    text: `SELECT cluster_id, seq, organization_id, CASE WHEN bytes_before < $4 THEN entry END AS entry, appended_at FROM (
             SELECT c.cluster_id, page.*, sum(octet_length(entry)) OVER pages - octet_length(entry) AS bytes_before,
               row_number() OVER (PARTITION BY c.place ORDER BY seq) AS number, c.place
             FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS c (cluster_id, seq_before, place)
             CROSS JOIN LATERAL (
               SELECT seq, organization_id, entry, appended_at FROM metadata_journal j
               WHERE j.cluster_id = c.cluster_id AND j.seq > c.seq_before ORDER BY j.seq LIMIT $3
             ) page
             WINDOW pages AS (ORDER BY c.place, seq)
           ) bounded WHERE bytes_before < $4 OR number = 1 ORDER BY place, seq`,
    values: [
      clusters.map(({ clusterId }) => clusterId),
      clusters.map(({ foldedSeq }) => foldedSeq.toString()),
      bounds.entries,
      bounds.bytes,
    ],
  });
  const rows = new Map<string, JournalRow[]>();
  const unfinished = new Set<string>();
  let readBytes = 0;
  let last: string | undefined;
  for (const { cluster_id: clusterId, seq, organization_id: organizationId, entry, appended_at: appendedAt } of found) {
    // The first entry of a cluster comes without its bytes when the others have used them up.
    if (entry === null) {
      unfinished.add(clusterId);
      continue;
    }
    const own = rows.get(clusterId) ?? [];
    own.push({ seq: BigInt(seq), organizationId, entry, appendedAt });
    rows.set(clusterId, own);
    readBytes += entry.length;
    last = clusterId;
    if (own.length === bounds.entries) {
      unfinished.add(clusterId);
    }
  }
  if (last !== undefined && readBytes >= bounds.bytes) {
    unfinished.add(last);
  }
  return { rows, unfinished: [...unfinished] };
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
  const extents = await readExtents(cell, [{ clusterId, foldedSeq: seq }]);
  return extents.get(clusterId) ?? { firstSeq: null, lastSeq: null, entrySha256: null };
}

/** The extents of several journals, with the SHA-256 of the last folded entry of each. */
export async function readExtents(
  cell: Queryable,
  clusters: readonly FoldedCluster[],
): Promise<Map<string, JournalExtent>> {
  const { rows } = await cell.query<{
    cluster_id: string;
    first: string | null;
    last: string | null;
    sha256: Buffer | null;
  }>({
    name: 'journal-extents',
    text: `SELECT c.cluster_id, (SELECT min(seq) FROM metadata_journal j WHERE j.cluster_id = c.cluster_id) AS first,
             (SELECT max(seq) FROM metadata_journal j WHERE j.cluster_id = c.cluster_id) AS last,
             (SELECT sha256(entry) FROM metadata_journal j WHERE j.cluster_id = c.cluster_id AND j.seq = c.seq) AS sha256
           FROM unnest($1::uuid[], $2::bigint[]) AS c (cluster_id, seq)`,
    values: [clusters.map(({ clusterId }) => clusterId), clusters.map(({ foldedSeq }) => foldedSeq.toString())],
  });
  return new Map(
    rows.map(({ cluster_id: clusterId, first, last, sha256 }) => [
      clusterId,
      {
        firstSeq: first === null ? null : BigInt(first),
        lastSeq: last === null ? null : BigInt(last),
        entrySha256: sha256,
      },
    ]),
  );
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
 * Records that all entries up to these are in the ledger, so that they may be cut. Call it after the ledger's transaction: a crash in
 * between only delays a cut.
 */
export async function markFolded(cell: Queryable, clusters: readonly FoldedCluster[]): Promise<void> {
  await cell.query({
    name: 'journal-mark-folded',
    text: `INSERT INTO metadata_folded AS folded (cluster_id, seq)
           SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS c (cluster_id, seq) ORDER BY cluster_id
           ON CONFLICT (cluster_id) DO UPDATE SET seq = excluded.seq WHERE folded.seq < excluded.seq`,
    values: [clusters.map(({ clusterId }) => clusterId), clusters.map(({ foldedSeq }) => foldedSeq.toString())],
  });
}

/** The clusters that some process has open. @param shards whose clusters to read; all without it */
export async function readOpenClusters(cell: Queryable, shards?: readonly number[]): Promise<string[]> {
  const { rows } = await cell.query<{ cluster_id: string }>({
    name: 'lease-open-clusters',
    text: `SELECT cluster_id FROM metadata_lease WHERE placement IN ('here', 'leaving') AND expires_at > clock_timestamp()
             AND ${inShardsSql('cluster_id', '$1')}`,
    values: [shards ?? null],
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
