// Programs that rely on compacted topics. `npm run fault -- ecosystem` is the long version.
import { expect, test } from 'vitest';
import { runEcosystem } from './ecosystem/ecosystem-run.ts';

// Kafka Streams, Kafka Connect and a schema registry, after a kill.
test('clients recover their state from compacted topics', async () => {
  const { reports, wrong } = await runEcosystem({
    tableRounds: 1,
    registryRounds: 2,
    connectRestarts: 1,
    onceRestarts: 0,
    mirrorRounds: 0,
    flinkRounds: 0,
    compacts: false,
  });
  expect(wrong).toEqual([]);
  expect(reports.map(({ part }) => part).sort()).toEqual(['connect', 'registry', 'registry', 'streams']);
});
