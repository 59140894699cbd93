// Whether writes that PostgreSQL acknowledges survive the loss of the primary. Queries the server that a connection reaches, because roles
// may have settings of their own.
import type { Pool, QueryResult } from 'pg';

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
  /** A description for operators. */
  readonly detail: string;
}

interface Row {
  synchronous_commit: string;
  synchronous_standby_names: string;
  standbys: number;
}

// Every role sees that a standby is connected, but only members of pg_monitor see its state: to others a running backup looks like a
// standby. Logical replication is excluded: it copies tables to another database, to which nobody fails over.
const QUERY = `
  BEGIN;
  -- The login role may be a member of pg_monitor; the role of declared access is not.
  SET LOCAL ROLE NONE;
  SELECT current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    count(r.pid)::int AS standbys
  FROM (SELECT) one LEFT JOIN pg_stat_replication r
    ON COALESCE(r.state, 'streaming') IN ('streaming', 'catchup')
    AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical');
  COMMIT`;

/** Never throws: a server that does not answer is unknown. */
export async function readReplication(pool: Pool): Promise<Replication> {
  try {
    // The driver returns one result for each statement, which its types don't know.
    const results = (await pool.query<Row>(QUERY)) as unknown as QueryResult<Row>[];
    const row = results[2]?.rows[0];
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
