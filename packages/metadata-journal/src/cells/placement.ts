// Whether a cluster is in a cell, and how that changes. Each step is one statement on the cluster's lease row, conditional on the row's
// contents, so that of two movers, or of a mover and an owner, exactly one succeeds.
//
//   source:  here ── ask ──► leaving ── commit ──► left        target:  (no row) or left ──► arriving ──► here
//
// The commit is the row of the source: before it the source counts, from then on the target does, whatever the directory says.
import type { Pool } from 'pg';

export type Placement = 'here' | 'leaving' | 'left' | 'arriving';

export interface PlacementRow {
  readonly placement: Placement;
  /** The target of a cluster that is leaving, or the source of one that is arriving. */
  readonly otherCell: string | null;
  readonly mover: string | null;
}

/** No process waits for this moment, and versions without moves can still compute with it. */
const NEVER = `timestamptz '9999-01-01'`;

export async function readPlacement(pool: Pool, clusterId: string): Promise<PlacementRow | undefined> {
  const { rows } = await pool.query<{ placement: Placement; other_cell: string | null; mover: string | null }>(
    'SELECT placement, other_cell, mover FROM metadata_lease WHERE cluster_id = $1',
    [clusterId],
  );
  const [row] = rows;
  return row && { placement: row.placement, otherCell: row.other_cell, mover: row.mover };
}

/** Lets this mover, and no earlier one, move the cluster away. False: the cluster is not here. */
export async function claimSource(pool: Pool, clusterId: string, mover: string, toCell: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO metadata_lease AS lease (cluster_id, owner_id, owner_url, epoch, expires_at, other_cell, mover)
     VALUES ($1, $2, '', 1, clock_timestamp(), $3, $2)
     ON CONFLICT (cluster_id) DO UPDATE SET other_cell = excluded.other_cell, mover = excluded.mover
     WHERE lease.placement IN ('here', 'leaving')`,
    [clusterId, mover, toCell],
  );
  return rowCount === 1;
}

/** Lets only this mover write the cluster here. False: the cluster is here already. */
export async function claimTarget(pool: Pool, clusterId: string, mover: string, fromCell: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO metadata_lease AS lease (cluster_id, owner_id, owner_url, epoch, expires_at, placement, other_cell, mover, placed_at)
     VALUES ($1, $2, '', 1, ${NEVER}, 'arriving', $3, $2, clock_timestamp())
     ON CONFLICT (cluster_id) DO UPDATE SET owner_id = excluded.owner_id, owner_url = '', epoch = lease.epoch + 1,
       expires_at = ${NEVER}, placement = 'arriving', other_cell = excluded.other_cell, mover = excluded.mover,
       placed_at = clock_timestamp()
     WHERE lease.placement IN ('left', 'arriving')`,
    [clusterId, mover, fromCell],
  );
  return rowCount === 1;
}

/** Asks the owner to release the cluster, and keeps others from opening it for a while. False: another mover has claimed it. */
export async function askToLeave(pool: Pool, clusterId: string, mover: string, holdMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE metadata_lease SET placement = 'leaving', leaving_until = clock_timestamp() + $3 * interval '1 millisecond'
     WHERE cluster_id = $1 AND mover = $2 AND placement IN ('here', 'leaving')`,
    [clusterId, mover, holdMs],
  );
  return rowCount === 1;
}

/** Acquires the lease of a cluster that is leaving, once its owner has released it. Resolves with its epoch, or undefined: not yet. */
export async function takeLeaving(
  pool: Pool,
  clusterId: string,
  mover: string,
  holdMs: number,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ epoch: string }>(
    `UPDATE metadata_lease AS lease SET owner_id = $2, owner_url = '', epoch = lease.epoch + 1,
       expires_at = clock_timestamp() + $3 * interval '1 millisecond',
       leaving_until = clock_timestamp() + $3 * interval '1 millisecond'
     WHERE cluster_id = $1 AND mover = $2 AND placement = 'leaving'
       AND (expires_at <= clock_timestamp() OR owner_id = $2) RETURNING epoch`,
    [clusterId, mover, holdMs],
  );
  return rows[0]?.epoch;
}

/**
 * The commit of a move. False: the lease has another epoch, because a process has opened the cluster here since; nothing has changed.
 * @param epoch as returned by `takeLeaving`
 */
export async function commitMove(pool: Pool, clusterId: string, mover: string, epoch: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE metadata_lease SET placement = 'left', placed_at = clock_timestamp(), expires_at = ${NEVER}, leaving_until = NULL
     WHERE cluster_id = $1 AND mover = $2 AND owner_id = $2 AND epoch = $3 AND placement = 'leaving'`,
    [clusterId, mover, epoch],
  );
  return rowCount === 1;
}

/** Abandons a move before its commit: the source may be opened again at once. */
export async function abandonMove(pool: Pool, clusterId: string, mover: string): Promise<void> {
  await pool.query(
    `UPDATE metadata_lease SET placement = 'here', leaving_until = NULL, other_cell = NULL, mover = NULL,
       expires_at = CASE WHEN owner_id = $2 THEN clock_timestamp() ELSE expires_at END
     WHERE cluster_id = $1 AND mover = $2 AND placement IN ('here', 'leaving')`,
    [clusterId, mover],
  );
}

/** Opens the target after the commit. Does nothing when it is open already. */
export async function openTarget(pool: Pool, clusterId: string, mover: string): Promise<void> {
  await pool.query(
    `UPDATE metadata_lease SET placement = 'here', expires_at = clock_timestamp(), other_cell = NULL, mover = NULL
     WHERE cluster_id = $1 AND mover = $2 AND placement = 'arriving'`,
    [clusterId, mover],
  );
}
