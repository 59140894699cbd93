// A short run of `npm run fault -- merging` with a fixed seed: agents merge and compact files while clients write and read, and agents, the
// owner and the S3 server are killed meanwhile. Every reader gets every record once, in order, byte for byte, from the replacement files.
import { expect, test } from 'vitest';
import { runMerging } from './checker/merging-run.ts';
import { clients } from './support/clients.ts';
import type { Consumed } from './support/records.ts';
import { run } from './support/run.ts';

const SEED = 12;
const SECONDS = 10;

function inOrderOfPartitions(consumed: readonly Consumed[]): Consumed[] {
  return [...consumed].sort((left, right) => left.partition - right.partition);
}

// The old files are deleted.
test('merging under kills preserves every byte and the bill', async () => {
  const { anomalies, faults, bucket } = await runMerging({
    seed: SEED,
    seconds: SECONDS,
    atTheEnd: async (_, [bootstrap = '', ...others], events) => {
      for (const client of clients.filter(({ name }) => ['kcat', 'Java console tools', 'kafkajs'].includes(name))) {
        const consumed = await client.consume(bootstrap, 'events', events.length);
        expect(inOrderOfPartitions(consumed), client.name).toEqual(events);
      }
      // Clients are never sent to an agent that only merges.
      const listed = JSON.parse(await run('kcat', ['-L', '-J', '-b', bootstrap]));
      expect(listed.brokers.map(({ name }: { name: string }) => name).sort()).toEqual([bootstrap, ...others].sort());
    },
  });
  expect(anomalies).toEqual([]);
  expect(Object.keys(faults)).toContainEqual(expect.stringMatching(/^job .*: agent killed$/));
  expect(bucket?.dead).toBe(0);
  expect(bucket?.filesLeft).toBeLessThan(bucket?.files.flushed ?? 0);
});
