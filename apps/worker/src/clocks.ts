// Schedules the jobs that run every few seconds.
import { every, type Logger } from '@penstock/platform';
import type { Runner, TaskSpec } from 'graphile-worker';
import { flagOf } from './shard-share.ts';

/** Bounds the age of usage that is not in the ledger to ten seconds, with the run itself. */
const METERING_INTERVAL_MS = 5_000;
/** Bounds the staleness of charts of whole clusters to twenty seconds. */
const TELEMETRY_INTERVAL_MS = 5_000;
/** Together with telemetry windows of ten seconds: a fault appears on the page within half a minute. */
const HEALTH_INTERVAL_MS = 5_000;

type Jobs = Pick<Runner, 'addJob'>;

interface ClockOptions {
  /** The shards that this worker works for. */
  shards: () => readonly number[];
  watchesHealth: boolean;
  logger: Logger;
}

/**
 * Starts the timers. The returned function stops them and resolves once none of them is adding a job. Job keys prevent
 * a slow job from piling up. A job that a killed worker left locked does not block the next one.
 */
export function startClocks(jobs: Jobs, { shards, watchesHealth, logger }: ClockOptions): () => Promise<void> {
  const clock = (intervalMs: number, task: string, add: () => Promise<void>): (() => Promise<void>) =>
    every(
      intervalMs,
      () =>
        add().catch((error: unknown) => logger.error({ err: error, task }, 'A job could not be added; trying again')),
      { startsNow: true },
    );
  /** Adds the task for each of our shards. No retry for a failed one: the next one follows soon. */
  const shardClock = (intervalMs: number, task: string): (() => Promise<void>) =>
    clock(intervalMs, task, async () => {
      for (const shard of shards()) {
        await addOnce(jobs, task, { shard }, { jobKey: `${task}:${shard}`, flags: [flagOf(shard)] });
      }
    });
  const stops = [
    shardClock(METERING_INTERVAL_MS, 'fold-shard'),
    shardClock(TELEMETRY_INTERVAL_MS, 'roll-up-shard'),
    clock(HEALTH_INTERVAL_MS, 'announce-access', () =>
      addOnce(jobs, 'announce-access', {}, { jobKey: 'announce-access' }),
    ),
  ];
  if (watchesHealth) {
    stops.push(shardClock(HEALTH_INTERVAL_MS, 'watch-shard'));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function addOnce(jobs: Jobs, task: string, payload: object, spec: TaskSpec): Promise<void> {
  await jobs.addJob(task, payload, { jobKeyMode: 'preserve_run_at', maxAttempts: 1, ...spec });
}
