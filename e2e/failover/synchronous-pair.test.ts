// A Penstock on a synchronous Patroni pair, as infra/docs/high-availability.md describes it. `npm run fault:patroni` does the same at length.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestSystem } from '../clients/support/system.ts';
import { runFaults, startSystemOn } from './support/fault-run.ts';
import { advisedTimes, PatroniPair } from './support/patroni-pair.ts';

let pair: PatroniPair;
let system: TestSystem;

beforeAll(async () => {
  pair = await PatroniPair.start({ durability: 'synchronous', times: advisedTimes });
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
