// Whether what PostgreSQL acknowledges survives the loss of the primary. Asked of the server that a connection reaches, whose role may
// have settings of its own.
import type { Pool } from 'pg';

export type ReplicationKind =
  /** Commits wait for a standby. */
  | 'synchronous'
  /** There are standbys, and commits do not wait for them: a failover may lose acknowledged writes. */
  | 'asynchronous'
  /** There is no standby. */
  | 'single'
  | 'unknown';

export interface Replication {
  readonly kind: ReplicationKind;
  /** In words for an operator. */
  readonly detail: string;
}

interface Row {
  synchronous_commit: string;
  synchronous_standby_names: string;
  standbys: number;
}

// Everybody sees that a standby is connected; in what state, only members of pg_monitor: to others a running backup looks like one.
// Logical replication copies tables to another database, and nobody fails over to that.
const QUERY = `
  SELECT current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    count(r.pid)::int AS standbys
  FROM (SELECT) one LEFT JOIN pg_stat_replication r
    ON COALESCE(r.state, 'streaming') IN ('streaming', 'catchup')
    AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')`;

/** Never throws: what cannot be asked is unknown. */
export async function readReplication(pool: Pool): Promise<Replication> {
  try {
    const { rows } = await pool.query<Row>(QUERY);
    const [row] = rows;
    return row === undefined ? { kind: 'unknown', detail: 'the database did not answer' } : replicationOf(row);
  } catch (error) {
    return { kind: 'unknown', detail: error instanceof Error ? error.message : String(error) };
  }
}

function replicationOf({
  synchronous_commit: synchronousCommit,
  synchronous_standby_names: synchronousStandbyNames,
  standbys,
}: Row): Replication {
  const standbyCount = `${standbys} ${standbys === 1 ? 'standby' : 'standbys'}`;
  if (synchronousCommit === 'off') {
    return {
      kind: 'asynchronous',
      detail: 'synchronous_commit is off: a crash of PostgreSQL alone may lose acknowledged writes',
    };
  }
  if (synchronousStandbyNames.trim() === '') {
    return standbys === 0
      ? { kind: 'single', detail: 'no standby is connected' }
      : {
          kind: 'asynchronous',
          detail: `synchronous_standby_names is empty: commits do not wait for the ${standbyCount}, and a failover may lose acknowledged writes`,
        };
  }
  if (synchronousCommit === 'local') {
    return {
      kind: 'asynchronous',
      detail: 'synchronous_commit is local: commits wait for no standby, and a failover may lose acknowledged writes',
    };
  }
  return {
    kind: 'synchronous',
    detail: `commits wait for ${synchronousStandbyNames}, synchronous_commit is ${synchronousCommit}; ${standbyCount} connected`,
  };
}
