import type { JobHelpers } from 'graphile-worker';
import { expect, test } from 'vitest';
import { withoutOverlap } from './without-overlap.ts';

const helpers = { logger: { debug: () => undefined } } as unknown as JobHelpers;

test('drops a run while the same one is at work', async () => {
  const began: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const task = withoutOverlap(
    async (payload) => {
      began.push(payload);
      await ended.promise;
    },
    (payload) => payload,
  );
  const first = task('a', helpers);
  await task('a', helpers);
  const other = task('b', helpers);
  expect(began).toEqual(['a', 'b']);
  ended.resolve();
  await Promise.all([first, other]);
  await task('a', helpers);
  expect(began).toEqual(['a', 'b', 'a']);
});

test('runs again after a failure', async () => {
  let runs = 0;
  const task = withoutOverlap(async () => {
    runs += 1;
    throw new Error('broken');
  });
  await expect(task({}, helpers)).rejects.toThrow('broken');
  await expect(task({}, helpers)).rejects.toThrow('broken');
  expect(runs).toBe(2);
});
