// A short run of `npm run fault -- clients` with a fixed seed: three kinds of clients see all of Kafka's guarantees kept under faults.
import { expect, test } from 'vitest';
import { runFaults } from './checker/fault-run.ts';

const SEED = 87;
const SECONDS = 15;

test('with a faulty bucket, dying processes and deleted topics, nothing acknowledged is lost, duplicated, reordered or billed wrongly', async () => {
  const { anomalies, clients, faults } = await runFaults({ seed: SEED, seconds: SECONDS });
  expect(anomalies).toEqual([]);
  expect(Object.keys(faults).length).toBeGreaterThan(3);
  expect(clients.filter(({ records }) => records === 0)).toEqual([]);
});
