// How jobs end when the worker exits: most finish by themselves, long ones are aborted, statements that hang are
// cancelled, and whatever still runs then is put back into the queue for another worker.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@penstock/platform';
import type { Pool } from 'pg';
import type { OpenConnections } from './open-connections.ts';
import type { RunningJob, RunningJobs } from './running-jobs.ts';

export interface StopLimits {
  /** Then `abortSignal` fires. Jobs of several steps end between two of them. */
  abortAfterMs: number;
  /** Then statements are cancelled, again and again: an aborted job may begin another one. */
  cancelAfterMs: number;
  cancelIntervalMs: number;
  /** Then running jobs are put back. */
  giveUpAfterMs: number;
}

export const STOP_LIMITS: StopLimits = {
  abortAfterMs: 5_000,
  cancelAfterMs: 8_000,
  cancelIntervalMs: 250,
  giveUpAfterMs: 12_000,
};

export interface StoppedJobs {
  jobs: Pick<RunningJobs, 'running' | 'failed' | 'keepFailures'>;
  connections: Pick<OpenConnections, 'cancelStatements'>;
  /** A pool of the queue's owner. */
  queue: Pick<Pool, 'query'>;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** Takes no more jobs, and resolves once none runs. */
  stop(): Promise<void>;
}

/** @returns whether all jobs have ended; if not, the process must exit soon, because others may run them now */
export async function stopJobs(
  { jobs, connections, queue, logger, stop }: StoppedJobs,
  { abortAfterMs, cancelAfterMs, cancelIntervalMs, giveUpAfterMs }: StopLimits = STOP_LIMITS,
): Promise<boolean> {
  const startMs = performance.now();
  const elapsedMs = (): number => performance.now() - startMs;
  let hasStopped = false;
  const stopped = stop().then(
    () => {
      hasStopped = true;
    },
    (error: unknown) => {
      hasStopped = true;
      logger.warn({ err: error }, 'The job queue did not stop cleanly');
    },
  );
  await Promise.race([stopped, pause(abortAfterMs)]);
  // A failure from here on may be our own doing.
  jobs.keepFailures();
  await Promise.race([stopped, pause(cancelAfterMs - elapsedMs())]);
  while (!hasStopped && elapsedMs() < giveUpAfterMs) {
    await connections
      .cancelStatements(queue)
      .catch((error: unknown) => logger.warn({ err: error }, 'Statements of jobs could not be cancelled'));
    await Promise.race([stopped, pause(cancelIntervalMs)]);
  }
  const interrupted = [...jobs.running, ...jobs.failed];
  for (const job of interrupted) {
    logger.warn({ job: job.id, task: job.task }, 'A job was interrupted and is put back');
  }
  await putBack(queue, interrupted).catch((error: unknown) =>
    logger.error({ err: error }, 'Interrupted jobs could not be put back; the queue frees them after four hours'),
  );
  return hasStopped;
}

/** The interrupted attempt does not count, and the next one starts at once. */
async function putBack(queue: Pick<Pool, 'query'>, interrupted: readonly RunningJob[]): Promise<void> {
  // The queue writes failures down later than it reports them. It finds them unlocked then, and changes nothing.
  const holders = new Set(interrupted.flatMap(({ lockedBy }) => lockedBy ?? []));
  if (holders.size > 0) {
    await queue.query('SELECT graphile_worker.force_unlock_workers($1)', [[...holders]]);
  }
  for (const { id, attempt, key } of interrupted) {
    // A job that was added again meanwhile has lost its key to the new one.
    await queue.query(
      `SELECT graphile_worker.reschedule_jobs(ARRAY[id], run_at => now(), attempts => $2)
       FROM graphile_worker.jobs WHERE id = $1 AND key IS NOT DISTINCT FROM $3`,
      [id, attempt - 1, key],
    );
  }
}
