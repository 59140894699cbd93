// A command that the state machine cannot apply stops nothing but itself.
import type { ClusterState, CommandOf } from '@penstock/metadata-core';
import { InvariantError } from '@penstock/metadata-core';
import { expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { CommandQuarantined, OwnerSteppedDown } from './errors.ts';
import { Quarantine } from './quarantine.ts';

function command(name: string): CommandOf<'delete-groups'> {
  return { kind: 'delete-groups', groupIds: [name] };
}

test('a command that breaks an invariant ends one owner', async () => {
  const fixture = new ClusterFixture();
  const first = await fixture.open();
  const topicId = await fixture.createTopic(first, 'orders', 2);
  const bad = fixture.commit(topicId, [0]);
  const good = fixture.commit(topicId, [1]);
  // The fault of a build: whatever touches partition 0 of a loaded state throws.
  fixture.onLoaded = breakPartition;
  const second = await fixture.open();
  await expect(second.submit(bad)).rejects.toBeInstanceOf(OwnerSteppedDown);
  await expect(second.submit(good)).rejects.toBeInstanceOf(OwnerSteppedDown);

  const third = await fixture.open();
  const refusal = await third.submit(bad).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CommandQuarantined);
  expect((await third.submit(good)).batchBaseOffset).toEqual(Float64Array.of(0));
  await expect(third.submit(bad)).rejects.toBeInstanceOf(CommandQuarantined);
  expect(fixture.quarantine.added).toBe(1);

  // A mended build, in a new process.
  fixture.quarantine = new Quarantine();
  fixture.onLoaded = undefined;
  const mended = await fixture.open();
  expect((await mended.submit(bad)).batchBaseOffset).toEqual(Float64Array.of(0));
  expect((await mended.submit(good)).batchBaseOffset).toEqual(Float64Array.of(0));
});

test('the refusal names the command by its hash', async () => {
  const quarantine = new Quarantine();
  const hash = quarantine.add('cluster', command('a'));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(new CommandQuarantined('cluster', hash).message).toContain(hash.slice(0, 16));
  expect(quarantine.find('cluster', command('a'))).toBe(hash);
  expect(quarantine.find('cluster', command('b'))).toBeUndefined();
  expect(quarantine.find('other', command('a'))).toBeUndefined();
});

test('a flood of such commands takes bounded memory', () => {
  const quarantine = new Quarantine();
  for (let nth = 0; nth < 100; nth += 1) {
    quarantine.add('cluster', command(`group-${nth}`));
  }
  expect(quarantine.find('cluster', command('group-35'))).toBeUndefined();
  expect(quarantine.find('cluster', command('group-36'))).toBeDefined();
  for (let nth = 0; nth < 1_000; nth += 1) {
    quarantine.add(`cluster-${nth}`, command('a'));
  }
  expect(quarantine.find('cluster', command('group-99'))).toBeUndefined();
  expect(quarantine.find('cluster-0', command('a'))).toBeDefined();
});

function breakPartition(state: ClusterState): void {
  const partition = [...state.topicsByName.values()][0]?.partitions[0];
  if (partition === undefined) {
    throw new Error('the topic was recovered');
  }
  Object.defineProperty(partition, 'highWatermark', {
    get: () => {
      throw new InvariantError('invariant broken: staged');
    },
  });
}
