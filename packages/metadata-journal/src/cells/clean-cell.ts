// Removes what a moved cluster left behind in its old cell. The tombstone stays: it is a lease row that keeps processes with an outdated
// directory entry from opening the cluster there.
import type { Pool } from 'pg';
import type { CellDirectory } from './homes.ts';
import { UnknownCluster } from './homes.ts';

/** Deleting in slices keeps each transaction short, and with it the delay of vacuum. */
const SLICE_ROWS = 2_000;
/** The newest entries stay, including the fence: the append of an owner that was paused during the move must still collide. */
const KEPT_ENTRIES = 100;

export interface CleanResult {
  clusters: number;
  entries: number;
}

/** @param graceMs clusters that left less than this long ago are not cleaned */
export async function cleanCell(
  pool: Pool,
  cell: string,
  directory: CellDirectory,
  graceMs: number,
): Promise<CleanResult> {
  const { rows } = await pool.query<{ cluster_id: string }>(
    `SELECT cluster_id FROM metadata_lease WHERE placement = 'left'
     AND placed_at <= clock_timestamp() - $1::float8 * interval '1 millisecond' ORDER BY placed_at`,
    [graceMs],
  );
  const result = { clusters: 0, entries: 0 };
  for (const { cluster_id: clusterId } of rows) {
    if ((await homeOf(directory, clusterId)) === cell) {
      continue;
    }
    const entries = await deleteInSlices(
      pool,
      'metadata_journal',
      clusterId,
      `AND seq <= (SELECT max(seq) - ${KEPT_ENTRIES} FROM metadata_journal WHERE cluster_id = $1)`,
    );
    const others =
      (await deleteInSlices(pool, 'metadata_snapshot', clusterId)) +
      (await deleteInSlices(pool, 'metadata_folded', clusterId)) +
      (await deleteInSlices(pool, 'metadata_dead_file', clusterId));
    if (entries + others > 0) {
      result.clusters += 1;
    }
    result.entries += entries;
  }
  return result;
}

async function homeOf(directory: CellDirectory, clusterId: string): Promise<string | undefined> {
  try {
    return await directory.cellOf(clusterId);
  } catch (error) {
    if (error instanceof UnknownCluster) {
      return undefined;
    }
    throw error;
  }
}

/** Each slice checks again that the cluster has left: it may be about to return. */
async function deleteInSlices(pool: Pool, table: string, clusterId: string, condition = ''): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `WITH left_behind AS (SELECT 1 FROM metadata_lease WHERE cluster_id = $1 AND placement = 'left' FOR UPDATE)
       DELETE FROM ${table} WHERE cluster_id = $1 AND EXISTS (SELECT FROM left_behind)
         AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE cluster_id = $1 ${condition} LIMIT $2))`,
      [clusterId, SLICE_ROWS],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < SLICE_ROWS) {
      return deleted;
    }
  }
}
