// The thread of patterns with patterns that are as bad as can be: nobody waits for them but who sent them.
import { afterEach, expect, test } from 'vitest';
import type { Share } from '../../budgets/tenants.ts';
import { describePatterns } from '../../contract/patterns-contract.ts';
import { systemClock } from '../clock.ts';
import { PatternThread } from './pattern-thread.ts';
import { PatternsHere, PatternsUnavailable } from './patterns.ts';

/** Each name takes about 300 ms: 2,000 states are active at every character. */
const SLOW = '(a?){1000}(a?){1000}.*';
const NAMES = Array.from({ length: 60 }, (_, index) => `${'a'.repeat(240)}${String(index).padStart(4, '0')}`);
const hostile = { clusterId: 'hostile', organizationId: 'hostile' };
const quiet = { clusterId: 'quiet', organizationId: 'quiet' };

const threads: PatternThread[] = [];

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.stop()));
});

function start(deadlineMs?: number): PatternThread {
  const shareOf = ({ organizationId, clusterId }: typeof quiet): Share => [organizationId, organizationId, clusterId];
  const thread = new PatternThread({
    clock: systemClock,
    shareOf,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  threads.push(thread);
  return thread;
}

const here = new PatternsHere();
describePatterns('in a thread', () => start());
describePatterns('where they are asked', () => here);

// Clusters take turns.
test('a slow pattern leaves the event loop alone', async () => {
  const thread = start(60_000);
  await thread.problem(quiet, 'a');
  const order: string[] = [];
  const slow = Array.from({ length: 4 }, () => thread.match(hostile, SLOW, NAMES).then(() => order.push('hostile')));
  const startMs = performance.now();
  let longestMs = 0;
  let lastMs = startMs;
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  const answer = await thread.match(quiet, '.*0001', NAMES.slice(1, 2));
  order.push('quiet');
  await Promise.all(slow);
  clearInterval(timer);
  expect(answer.matched).toEqual([0]);
  // Behind the one that had begun, at most.
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(1);
  // The thread worked all the time, the loop did not.
  expect(longestMs).toBeLessThan((performance.now() - startMs) / 2);
});

test('a thread that takes too long is replaced', async () => {
  const thread = start(100);
  await thread.problem(quiet, 'a');
  const slow = thread.match(hostile, SLOW, NAMES);
  const next = thread.match(quiet, '.*0001', NAMES.slice(1, 2));
  await expect(slow).rejects.toBeInstanceOf(PatternsUnavailable);
  expect((await next).matched).toEqual([0]);
  expect(thread.ended).toBe(1);
});

test('bounds waiting questions per cluster', async () => {
  const thread = start();
  const asked = Array.from({ length: 600 }, () => thread.match(hostile, 'a', ['a']));
  const outcomes = Promise.allSettled(asked);
  expect((await thread.match(quiet, 'a', ['a'])).matched).toEqual([0]);
  const refused = (await outcomes).filter(({ status }) => status === 'rejected').length;
  expect(refused).toBeGreaterThan(90);
});
