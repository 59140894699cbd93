// Programs that live on compacted topics, as `npm run fault:ecosystem` shows at length.
import { expect, test } from 'vitest';
import { runEcosystem } from './ecosystem/ecosystem-run.ts';

test('a table of Kafka Streams, a Connect worker and a schema registry know after a kill and without their own state what they knew before', async () => {
  const { reports, wrong } = await runEcosystem({
    tableRounds: 1,
    registryRounds: 2,
    connectRestarts: 1,
    compacts: false,
  });
  expect(wrong).toEqual([]);
  expect(reports.map(({ part }) => part).sort()).toEqual(['connect', 'registry', 'registry', 'streams']);
});
