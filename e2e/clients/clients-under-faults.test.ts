// A short run of `npm run fault:clients`, with a fixed seed: what clients of three kinds see under faults keeps all of Kafka's promises.
import { expect, test } from 'vitest';
import { runFaults } from './checker/fault-run.ts';

const SEED = 87;
const SECONDS = 15;

test('with a faulty bucket, processes that die and topics that go, nothing acknowledged is lost, doubled, reordered or billed wrongly', async () => {
  const { anomalies, clients, faults } = await runFaults({ seed: SEED, seconds: SECONDS });
  expect(anomalies).toEqual([]);
  expect(Object.keys(faults).length).toBeGreaterThan(3);
  expect(clients.filter(({ records }) => records === 0)).toEqual([]);
});
