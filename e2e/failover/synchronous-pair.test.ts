// A Penstock on a synchronous Patroni pair, as infra/docs/high-availability.md describes it. `npm run fault:patroni` does the same at length.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestSystem } from '../clients/support/system.ts';
import { runFaults, startSystemOn } from './support/fault-run.ts';
import { PatroniPair } from './support/patroni-pair.ts';

/** Shorter than advised, so that the test is: a busy machine can take this pair for dead, which costs time and nothing else. */
const times = { ttl_s: 6, loopWait_s: 1, retryTimeout_s: 2 };

let pair: PatroniPair;
let system: TestSystem;

beforeAll(async () => {
  pair = await PatroniPair.start({ durability: 'synchronous', times });
  system = await startSystemOn(pair);
});
afterAll(async () => {
  await system?.stop();
  await pair?.stop();
});

test('the primary is cut off, then killed, under load: nothing acknowledged is lost, doubled or out of order', async () => {
  // Both faults in one take-over: each costs the time that Patroni waits.
  const outcome = await runFaults(pair, system, ['cut-then-killed']);
  expect(outcome.faults.map(({ kind }) => kind)).toEqual(['cut-then-killed']);
  expect(outcome).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
  expect(outcome.acknowledged).toBeGreaterThan(0);
  // The metadata processes and agents lost their connections, not their lives.
  expect(system.deaths).toEqual([]);
});
