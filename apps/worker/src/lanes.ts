// Lanes of jobs: each has slots of its own, so that slow jobs of one never keep those of another waiting.
import type { EventEmitter } from 'node:events';
import { type Logger as JobLogger, type ParsedCronItem, type Runner, run, type TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { STOP_LIMITS } from './stop-jobs.ts';

export interface Lane {
  tasks: TaskList;
  /** Jobs that run at once in this process. */
  slots: number;
  /** Jobs that become due by the clock. */
  cron?: readonly ParsedCronItem[];
  /** Flags of jobs that are left to other processes. */
  foreignFlags?: () => string[];
}

export interface LanesOptions {
  pool: Pool;
  logger: JobLogger;
  events: EventEmitter;
}

export type Lanes = Pick<Runner, 'addJob' | 'stop'>;

/** Connections that the lanes hold besides those of running statements: each listens for new jobs. */
export function connectionsFor(lanes: number, slots: number): number {
  return lanes + slots;
}

/** Resolves once all lanes take jobs. */
export async function startLanes(lanes: readonly Lane[], { pool, logger, events }: LanesOptions): Promise<Lanes> {
  const runners: Runner[] = [];
  // One after the other: the first one creates the queue's schema.
  for (const { tasks, slots, cron = [], foreignFlags } of lanes) {
    runners.push(
      await run({
        pgPool: pool,
        taskList: tasks,
        parsedCronItems: [...cron],
        concurrency: slots,
        pollInterval: 2_000,
        // The program handles signals itself.
        noHandleSignals: true,
        gracefulShutdownAbortTimeout: STOP_LIMITS.abortAfterMs,
        logger,
        events,
        ...(foreignFlags === undefined ? {} : { forbiddenFlags: foreignFlags }),
      }),
    );
  }
  const [first] = runners;
  if (first === undefined) {
    throw new RangeError('a worker without lanes');
  }
  return {
    addJob: first.addJob,
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
