// The rules level and formats of a cluster, and how they are raised: what makes an upgrade, and the way back, safe.
import { decodeEntry } from '@penstock/metadata-core';
import { beforeEach, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import type { Owner } from './owner.ts';

let fixture: ClusterFixture;

beforeEach(() => {
  fixture = new ClusterFixture();
});

/** Every entry so far: its version byte, its rules level, its commands. */
async function entries(): Promise<{ version: number | undefined; rules: number; kinds: string[] }[]> {
  const journal = await fixture.journal.entries(fixture.cluster.clusterId);
  return journal.map(({ bytes }) => {
    const { rules, commands } = decodeEntry(bytes);
    return { version: bytes[0], rules, kinds: commands.map(({ kind }) => kind) };
  });
}

async function snapshotVersion(): Promise<number | undefined> {
  const snapshot = await fixture.journal.readSnapshot(fixture.cluster.clusterId);
  for await (const part of snapshot?.parts ?? []) {
    return part[0];
  }
  return undefined;
}

async function commitOnce(owner: Owner, name: string): Promise<void> {
  const topicId = await fixture.createTopic(owner, name);
  await owner.submit(fixture.commit(topicId, [0]));
}

test('an owner that is not configured to raise the level writes what the previous release can read', async () => {
  const owner = await fixture.open(1);
  await commitOnce(owner, 'orders');
  expect((await entries()).map(({ version, rules }) => [version, rules])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
  ]);
  await owner.takeSnapshot();
  expect(await snapshotVersion()).toBe(2);
});

test('the level is raised by the entry that opens the cluster, alone in it, and later entries have the new formats', async () => {
  await commitOnce(await fixture.open(1), 'orders');
  const raising = await fixture.open(2);
  await commitOnce(raising, 'invoices');
  expect((await entries()).slice(3)).toEqual([
    { version: 3, rules: 2, kinds: ['raise-rules-level'] },
    { version: 3, rules: 2, kinds: ['create-topics'] },
    { version: 3, rules: 2, kinds: ['commit-file'] },
  ]);
  await raising.takeSnapshot();
  expect(await snapshotVersion()).toBe(3);
});

test('the level never falls: an owner with a lower setting continues at the level of the cluster', async () => {
  await commitOnce(await fixture.open(2), 'orders');
  const lower = await fixture.open(1);
  await commitOnce(lower, 'invoices');
  expect(lower.rules).toBe(2);
  expect((await entries()).map(({ rules }) => rules)).toEqual([2, 2, 2, 2, 2, 2]);
});
