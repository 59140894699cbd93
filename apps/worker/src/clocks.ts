// Schedules the jobs that run every few seconds.
import { clustersToFold, type JournalCells } from '@penstock/billing';
import { every, type Logger } from '@penstock/platform';
import type { Runner } from 'graphile-worker';
import type { Pool } from 'pg';
import type { MeteringWatch } from './metering-watch.ts';

/** Bounds the staleness of usage on the dashboard to half a minute. */
const METERING_INTERVAL_MS = 10_000;
/** Bounds the staleness of charts of whole clusters to twenty seconds. */
const TELEMETRY_INTERVAL_MS = 5_000;
/** Together with telemetry windows of ten seconds: a fault appears on the page within half a minute. */
const HEALTH_INTERVAL_MS = 5_000;

type Jobs = Pick<Runner, 'addJob'>;

interface ClockOptions {
  pool: Pool;
  cells: JournalCells;
  watchesHealth: boolean;
  metering: Pick<MeteringWatch, 'note'>;
  logger: Logger;
}

/**
 * Starts the timers. The returned function stops them and resolves once none of them is adding a job. Job keys prevent
 * a slow job from piling up. A job that a killed worker left locked does not block the next one.
 */
export function startClocks(jobs: Jobs, options: ClockOptions): () => Promise<void> {
  const { watchesHealth, logger } = options;
  const clock = (intervalMs: number, task: string, add: () => Promise<void>): (() => Promise<void>) =>
    every(
      intervalMs,
      () =>
        add().catch((error: unknown) => logger.error({ err: error, task }, 'A job could not be added; trying again')),
      { startsNow: true },
    );
  const stops = [
    clock(METERING_INTERVAL_MS, 'fold-cluster', () => addFolds(jobs, options)),
    clock(TELEMETRY_INTERVAL_MS, 'roll-up-telemetry', () =>
      addOnce(jobs, 'roll-up-telemetry', { jobKeyMode: 'preserve_run_at' }),
    ),
  ];
  if (watchesHealth) {
    stops.push(
      // No retry for a failed check: the next one follows soon.
      clock(HEALTH_INTERVAL_MS, 'watch-health', () =>
        addOnce(jobs, 'watch-health', { jobKeyMode: 'preserve_run_at', maxAttempts: 1 }),
      ),
    );
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function addOnce(
  jobs: Jobs,
  task: string,
  options: { jobKeyMode: 'preserve_run_at'; maxAttempts?: number },
): Promise<void> {
  await jobs.addJob(task, {}, { jobKey: task, ...options });
}

/** Adds a fold for each cluster whose journal has new entries. */
async function addFolds(jobs: Jobs, { pool, cells, metering, logger }: ClockOptions): Promise<void> {
  const { clusterIds, oldest, failures } = await clustersToFold(pool, cells);
  // A cell that did not answer may hold an older one, so what was known of it stays.
  if (failures.length === 0) {
    metering.note(oldest);
  }
  for (const { cell, error } of failures) {
    logger.error({ err: error, cell }, 'A cell did not say what there is to meter; trying again');
  }
  for (const clusterId of clusterIds) {
    await jobs.addJob('fold-cluster', { clusterId }, { jobKey: `fold:${clusterId}`, jobKeyMode: 'preserve_run_at' });
  }
}
