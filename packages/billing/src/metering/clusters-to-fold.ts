// Checks all cells for journals with new entries. It also records up to when the usage of clusters in other cells is
// counted, because pages read only the control plane's database.
import { readUnfolded } from '@penstock/metadata-journal';
import { inShardsSql, MAIN_CELL } from '@penstock/platform';
import type { Pool } from 'pg';
import type { JournalCells } from './fold-journal.ts';

/** Limits how often the time is written for a cluster without new entries. */
const COUNTED_UNTIL_PRECISION_MS = 30_000;

export interface ClustersToFold {
  /** The clusters whose journal has unfolded entries, including deleted clusters; longest waiting first. */
  clusterIds: string[];
  /** When the oldest of these entries was appended. */
  oldest: Date | undefined;
  /** Cells that did not answer. Their clusters are folded later, without delaying the others. */
  failures: { cell: string; error: unknown }[];
}

interface ClusterRow {
  id: string;
  cell: string;
  seq: string;
  counted_until: Date | null;
  now: Date;
}

/** @param shards whose clusters to check; all without it */
export async function clustersToFold(
  ledger: Pool,
  cells: JournalCells,
  shards?: readonly number[],
): Promise<ClustersToFold> {
  const { rows } = await ledger.query<ClusterRow>({
    name: 'metering-clusters',
    text: `SELECT c.id, c.cell, coalesce(p.seq, 0) AS seq, p.counted_until, clock_timestamp() AS now
           FROM virtual_cluster c LEFT JOIN metering_checkpoint p ON p.cluster_id = c.id
           WHERE ${inShardsSql('c.id', '$1')} ORDER BY p.folded_at NULLS FIRST`,
    values: [shards ?? null],
  });
  const failures: ClustersToFold['failures'] = [];
  const unfolded = new Map<string, Date>();
  const checkCell = async (cell: string, clusters: readonly ClusterRow[]): Promise<void> => {
    try {
      const found = await readUnfolded(
        cell === MAIN_CELL ? ledger : cells.pool(cell),
        clusters.map(({ id, seq }) => ({ clusterId: id, foldedSeq: BigInt(seq) })),
      );
      for (const [clusterId, appendedAt] of found) {
        unfolded.set(clusterId, appendedAt);
      }
      if (cell !== MAIN_CELL) {
        await writeCountedUntil(ledger, clusters, found);
      }
    } catch (error) {
      failures.push({ cell, error });
    }
  };
  await Promise.all([...Map.groupBy(rows, (row) => row.cell)].map(([cell, clusters]) => checkCell(cell, clusters)));
  const [oldest] = [...unfolded.values()].sort((one, other) => one.getTime() - other.getTime());
  return { clusterIds: rows.map((row) => row.id).filter((id) => unfolded.has(id)), oldest, failures };
}

async function writeCountedUntil(
  ledger: Pool,
  clusters: readonly ClusterRow[],
  unfolded: ReadonlyMap<string, Date>,
): Promise<void> {
  const changed = clusters
    .map((row) => ({ row, until: unfolded.get(row.id) ?? row.now }))
    .filter(({ row, until }) => {
      if (row.counted_until === null || unfolded.has(row.id)) {
        return row.counted_until?.getTime() !== until.getTime();
      }
      return until.getTime() - row.counted_until.getTime() >= COUNTED_UNTIL_PRECISION_MS;
    });
  if (changed.length === 0) {
    return;
  }
  await ledger.query({
    name: 'metering-counted-until',
    text: `INSERT INTO metering_checkpoint AS checkpoint (cluster_id, seq, entry_at, counted_until)
           SELECT c.id, 0, to_timestamp(0), c.until FROM unnest($1::uuid[], $2::timestamptz[]) AS c (id, until)
           ON CONFLICT (cluster_id) DO UPDATE SET counted_until = excluded.counted_until`,
    values: [changed.map(({ row }) => row.id), changed.map(({ until }) => until)],
  });
}
