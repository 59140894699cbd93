// What the database shows of the workers' progress, read every second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { cpuSeconds } from '../process-usage.ts';

const INTERVAL_MS = 1_000;

export interface Progress {
  /** Age of the oldest entry that is not in the ledger, in seconds, at each reading. */
  foldLagS: number[];
  /** Age of the oldest verdict, in seconds, at each reading. */
  verdictAgeS: number[];
  /** Seconds since the oldest slot of ten seconds that is not rolled up ended. */
  rollUpLagS: number[];
  /** Most runs of check-budgets at the same time. */
  budgetRuns: number;
}

/** Reads every second until it is stopped. */
export function watchProgress(pool: Pool, sessions: SessionMeter): { progress: Progress; stop(): Promise<void> } {
  const progress: Progress = { foldLagS: [], verdictAgeS: [], rollUpLagS: [], budgetRuns: 0 };
  let isStopping = false;
  const watching = (async () => {
    while (!isStopping) {
      const { rows } = await pool.query<{ fold: number; verdict: number; due: number; budgets: number }>(READ);
      const [row] = rows;
      if (row !== undefined) {
        progress.foldLagS.push(row.fold);
        progress.verdictAgeS.push(row.verdict);
        progress.rollUpLagS.push(row.due);
        progress.budgetRuns = Math.max(progress.budgetRuns, row.budgets);
      }
      await sessions.read();
      await sleep(INTERVAL_MS);
    }
  })();
  return {
    progress,
    stop: async () => {
      isStopping = true;
      await watching;
    },
  };
}

const READ = `
  SELECT
    coalesce((SELECT extract(epoch FROM clock_timestamp() - min(next.appended_at))
      FROM metadata_lease l LEFT JOIN metering_checkpoint p USING (cluster_id)
      CROSS JOIN LATERAL (SELECT appended_at FROM metadata_journal j WHERE j.cluster_id = l.cluster_id AND j.seq > coalesce(p.seq, 0)
        ORDER BY j.seq LIMIT 1) AS next), 0)::float8 AS fold,
    coalesce((SELECT extract(epoch FROM clock_timestamp() - min(coalesce(assessed_at, 'epoch')))
      FROM metadata_lease l LEFT JOIN cluster_health h USING (cluster_id)), 0)::float8 AS verdict,
    coalesce((SELECT extract(epoch FROM clock_timestamp() - min(slot)) - 10 FROM telemetry.due WHERE level = '10s'), 0)::float8 AS due,
    (SELECT count(*)::int FROM graphile_worker.jobs
      WHERE task_identifier = 'check-budgets' AND locked_at > now() - interval '10 minutes') AS budgets`;

/** CPU seconds that sessions of workers have used in PostgreSQL. Sessions come and go, so it must be read often. */
export class SessionMeter {
  readonly #pool: Pool;
  readonly #used = new Map<number, number>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async read(): Promise<number> {
    const { rows } = await this.#pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'penstock-worker%'`,
    );
    for (const { pid } of rows) {
      const seconds = await cpuSeconds(pid).catch(() => undefined);
      if (seconds !== undefined) {
        this.#used.set(pid, seconds);
      }
    }
    return [...this.#used.values()].reduce((sum, seconds) => sum + seconds, 0);
  }
}

/** @returns the value below which this share of the readings lies */
export function percentile(readings: readonly number[], share: number): number {
  const sorted = readings.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
