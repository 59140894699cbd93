import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import type { RunningJob } from './running-jobs.ts';
import { type StopLimits, type StoppedJobs, stopJobs } from './stop-jobs.ts';

const LIMITS: StopLimits = { abortAfterMs: 10, cancelAfterMs: 20, cancelIntervalMs: 5, giveUpAfterMs: 1_500 };
const job: RunningJob = { id: '7', task: 'stuck', key: 'one', attempt: 3, lockedBy: 'pool-1', startedMs: 0 };

interface Stopping extends StoppedJobs {
  asked: [text: string, values: unknown[]][];
  cancels: number;
}

function stopping(running: RunningJob[], failed: RunningJob[], stop: StoppedJobs['stop']): Stopping {
  const asked: Stopping['asked'] = [];
  const query = async (text: string, values: unknown[]): Promise<void> => void asked.push([text, values]);
  const result: Stopping = {
    asked,
    cancels: 0,
    jobs: { running, failed, keepFailures: () => undefined },
    connections: {
      cancelStatements: async () => {
        result.cancels += 1;
      },
    },
    queue: { query } as unknown as Pool,
    logger: { warn: () => undefined, error: () => undefined },
    stop,
  };
  return result;
}

test('jobs that finish by themselves are neither cut nor put back', async () => {
  const done = stopping([], [], () => Promise.resolve());
  expect(await stopJobs(done, LIMITS)).toBe(true);
  expect([done.cancels, done.asked]).toEqual([0, []]);
});

test('a job that ignores everything is unlocked and put back', async () => {
  const stuck = stopping([job], [], () => new Promise(() => undefined));
  expect(await stopJobs(stuck, LIMITS)).toBe(false);
  expect(stuck.cancels).toBeGreaterThan(1);
  expect(stuck.asked.map(([text, values]) => [text.match(/graphile_worker\.(\w+)\(/)?.[1], values])).toEqual([
    ['force_unlock_workers', [['pool-1']]],
    ['reschedule_jobs', ['7', 2, 'one']],
  ]);
});

test('a job that failed because it was cancelled is put back', async () => {
  const cancelled = Promise.withResolvers<void>();
  const failed = stopping([], [job], () => cancelled.promise);
  failed.connections = { cancelStatements: async () => cancelled.resolve() };
  expect(await stopJobs(failed, LIMITS)).toBe(true);
  expect(failed.asked.at(-1)?.[1]).toEqual(['7', 2, 'one']);
});

test('a database that does not answer does not stop the exit', async () => {
  const cut = stopping([job], [], () => new Promise(() => undefined));
  const refused = (): Promise<never> => Promise.reject(new Error('connection refused'));
  cut.queue = { query: refused } as unknown as Pool;
  cut.connections = { cancelStatements: refused };
  expect(await stopJobs(cut, LIMITS)).toBe(false);
});
