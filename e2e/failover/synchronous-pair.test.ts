// A Penstock on a synchronous Patroni pair, as infra/docs/high-availability.md describes it. `npm run fault:patroni` does the same at length.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestSystem } from '../clients/support/system.ts';
import { runFaults, startSystemOn } from './support/fault-run.ts';
import { PatroniPair } from './support/patroni-pair.ts';

/** Shorter than advised, so that the test is: a busy machine can take this pair for dead, which costs time and nothing else. */
const times = { ttl_s: 9, loopWait_s: 2, retryTimeout_s: 3 };

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

test('the primary is killed, the next one cut off, under load: nothing acknowledged is lost, doubled or out of order', async () => {
  const outcome = await runFaults(pair, system, ['server-killed', 'cut-from-pair']);
  expect(outcome.faults.map(({ kind }) => kind)).toEqual(['server-killed', 'cut-from-pair']);
  expect(outcome).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
  expect(outcome.acknowledged).toBeGreaterThan(0);
  // The metadata processes and agents lost their connections, not their lives.
  expect(system.deaths).toEqual([]);
});
