// How a stopped cluster comes back: its lost entries are in the journal again, or an operator gives them up.
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';
import type { PositionStatus } from '../journal.ts';
import { JOURNAL_START } from '../position.ts';
import { asBuffer } from '../postgres/as-buffer.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import { PostgresStops } from './postgres-stops.ts';
import type { ClusterStop, SparedFiles } from './stops.ts';

/**
 * A file is written minutes before its commit at most, but the failover that lost it is known only by where the journal goes on. Sparing
 * too many files costs some storage, sparing too few costs data.
 */
export const SPARED_BEFORE_MS = 24 * HOUR_MS;
/** For agents whose clocks are ahead. */
export const SPARED_AFTER_MS = HOUR_MS;
/** Time to look for what the lost entries named, before its objects are collected as orphans. */
export const SPARED_FOR_MS = 30 * 24 * HOUR_MS;

/** The databases that hold something of a cluster. */
export interface ResumeDatabases {
  /** Of the control plane. */
  readonly control: Pool;
  /** Where the cluster's journal lies. */
  readonly journal: Pool;
}

export interface StoppedCluster {
  readonly stop: ClusterStop;
  /** What the journal says of the witnessed position now. */
  readonly status: PositionStatus['kind'];
  /** The last entry that the journal has now; undefined when it has none. */
  readonly last: { readonly seq: number; readonly appendedAtMs: number } | undefined;
  /** When the last entry was appended that may have been there before the loss. */
  readonly survivingAtMs: number | undefined;
  /** How many entries are lost at least. */
  readonly lostEntries: number;
}

/** What an operator must know of a stopped cluster; undefined when it is not stopped. */
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

/** Lets a cluster go on whose lost entries are back. False when it was not stopped any more. */
export async function resumeRestored(control: Pool, stopped: StoppedCluster, by: string): Promise<boolean> {
  if (stopped.status !== 'held') {
    throw new Error('the journal does not hold the lost entries');
  }
  return await new PostgresStops(control).resolve(stopped.stop, { kind: 'restored', by });
}

/**
 * Gives the lost entries up: the cluster goes on from what the journal has. Objects that they named are not collected for a while.
 * Resolves with the files that are spared; undefined when the cluster was not stopped any more.
 * @param by who decides, for the record
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
