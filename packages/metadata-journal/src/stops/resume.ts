// Resumes a stopped cluster: its lost entries have been restored, or an operator accepts the loss.
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';
import type { PositionStatus } from '../journal.ts';
import { JOURNAL_START } from '../position.ts';
import { asBuffer } from '../postgres/as-buffer.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import { PostgresStops } from './postgres-stops.ts';
import type { ClusterStop, SparedFiles } from './stops.ts';

/**
 * How long before the loss files are spared. A file is written at most minutes before its commit, but the time of the failover is known
 * only from where the journal continues. Sparing too many files costs some storage; sparing too few costs data.
 */
export const SPARED_BEFORE_MS = 24 * HOUR_MS;
/** Allows for agents whose clocks are ahead. */
export const SPARED_AFTER_MS = HOUR_MS;
/** Time to find out what the lost entries named, before the objects are collected as orphans. */
export const SPARED_FOR_MS = 30 * 24 * HOUR_MS;

/** The databases that hold data of a cluster. */
export interface ResumeDatabases {
  /** The pool of the control database. */
  readonly control: Pool;
  /** The cell with the cluster's journal. */
  readonly journal: Pool;
}

export interface StoppedCluster {
  readonly stop: ClusterStop;
  /** The current status of the witnessed position in the journal. */
  readonly status: PositionStatus['kind'];
  /** The journal's last entry now; undefined when it has none. */
  readonly last: { readonly seq: number; readonly appendedAtMs: number } | undefined;
  /** When the last entry was appended that may have been there before the loss. */
  readonly survivingAtMs: number | undefined;
  /** The minimum number of lost entries. */
  readonly lostEntries: number;
}

/** The facts that an operator needs about a stopped cluster; undefined when it is not stopped. */
export async function inspectStopped(
  { control, journal }: ResumeDatabases,
  clusterId: string,
): Promise<StoppedCluster | undefined> {
  const { stop } = await new PostgresStops(control).past(clusterId);
  if (stop === undefined) {
    return undefined;
  }
  const { kind } = await new PostgresJournal(journal).statusOf(clusterId, stop.witnessed);
  const last = await lastEntry(journal, clusterId, Number.MAX_SAFE_INTEGER);
  const surviving = await lastEntry(journal, clusterId, stop.witnessed.seq - 1);
  return {
    stop,
    status: kind,
    last,
    survivingAtMs: surviving?.appendedAtMs,
    lostEntries: kind === 'held' ? 0 : Math.max(1, stop.witnessed.seq - (last?.seq ?? 0)),
  };
}

/** Resumes a cluster whose lost entries have been restored. False when it was no longer stopped. */
export async function resumeRestored(control: Pool, stopped: StoppedCluster, by: string): Promise<boolean> {
  if (stopped.status !== 'held') {
    throw new Error('the journal does not hold the lost entries');
  }
  return await new PostgresStops(control).resolve(stopped.stop, { kind: 'restored', by });
}

/** Resumes a cluster that stopped for a broken invariant, once a mended release runs. False when it was no longer stopped. */
export async function resumeMended(control: Pool, { stop }: StoppedCluster, by: string): Promise<boolean> {
  if (stop.fault === undefined) {
    throw new Error('the cluster did not stop for a broken invariant');
  }
  return await new PostgresStops(control).resolve(stop, { kind: 'mended', by });
}

/**
 * Accepts the loss: the cluster continues from the journal as it is. Objects that the lost entries named are not collected for a while.
 * Resolves with the spared files; undefined when the cluster was no longer stopped.
 * @param by who decided, for the record
 */
export async function acceptLostTail(
  { control, journal }: ResumeDatabases,
  { stop, survivingAtMs }: StoppedCluster,
  by: string,
  nowMs: number,
): Promise<SparedFiles | undefined> {
  // A snapshot of the lost history would stop the cluster again at its next opening.
  await journal.query(
    `DELETE FROM metadata_snapshot s WHERE s.cluster_id = $1
     AND s.seq >= COALESCE((SELECT min(seq) FROM metadata_journal WHERE cluster_id = $1), 0)
     AND NOT EXISTS (SELECT FROM metadata_journal j WHERE j.cluster_id = $1 AND j.seq = s.seq
                     AND (s.hash IS NULL OR s.hash = COALESCE(j.hash, sha256($2::bytea || j.entry))))`,
    [stop.clusterId, asBuffer(JOURNAL_START.hash)],
  );
  const spared = {
    fromMs: Math.max(0, (survivingAtMs ?? 0) - SPARED_BEFORE_MS),
    toMs: nowMs + SPARED_AFTER_MS,
    untilMs: nowMs + SPARED_FOR_MS,
  };
  const isResolved = await new PostgresStops(control).resolve(stop, { kind: 'accepted', by, spared });
  return isResolved ? spared : undefined;
}

async function lastEntry(journal: Pool, clusterId: string, throughSeq: number): Promise<StoppedCluster['last']> {
  const { rows } = await journal.query<{ seq: string; appended_at: Date }>(
    `SELECT seq, appended_at FROM metadata_journal WHERE cluster_id = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1`,
    [clusterId, throughSeq],
  );
  const [row] = rows;
  return row === undefined ? undefined : { seq: Number(row.seq), appendedAtMs: row.appended_at.getTime() };
}
