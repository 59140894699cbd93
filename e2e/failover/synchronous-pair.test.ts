// A Penstock on a synchronous Patroni pair, as infra/docs/high-availability.md describes it. `npm run fault -- patroni` is the long version.
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

// It is isolated, then killed; nothing is duplicated or reordered.
test('losing the primary under load loses nothing acknowledged', async () => {
  // Both faults within one takeover: each takeover costs Patroni's waiting time.
  const outcome = await runFaults(pair, system, ['cut-then-killed']);
  expect(outcome.faults.map(({ kind }) => kind)).toEqual(['cut-then-killed']);
  expect(outcome).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
  expect(outcome.acknowledged).toBeGreaterThan(0);
  // The metadata processes and agents lost connections but did not exit.
  expect(system.deaths).toEqual([]);
});
