// A short run of `npm run fault -- clients` with a fixed seed: three kinds of clients see all of Kafka's guarantees kept under faults.
import { expect, test } from 'vitest';
import { runFaults } from './checker/fault-run.ts';

const SEED = 87;
const SECONDS = 15;

// A faulty bucket, dying processes, deleted topics: nothing is duplicated, reordered or billed wrongly either.
test('clients lose nothing acknowledged under faults', async () => {
  const { anomalies, clients, faults } = await runFaults({ seed: SEED, seconds: SECONDS });
  expect(anomalies).toEqual([]);
  expect(Object.keys(faults).length).toBeGreaterThan(3);
  expect(clients.filter(({ records }) => records === 0)).toEqual([]);
});
