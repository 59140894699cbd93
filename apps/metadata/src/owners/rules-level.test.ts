// The rules level of a cluster, and how the opening raises it.
import { type Command, decodeEntry, encodeEntry, type RulesVersion } from '@penstock/metadata-core';
import { JOURNAL_START } from '@penstock/metadata-journal';
import { beforeEach, expect, test, vi } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { randomIds } from './ids.ts';

let fixture: ClusterFixture;

beforeEach(() => {
  fixture = new ClusterFixture();
});

/** Every entry so far: its rules level, its commands. */
async function entries(): Promise<{ rules: number; kinds: string[] }[]> {
  const journal = await fixture.journal.entries(fixture.cluster.clusterId);
  return journal.map(({ bytes }) => {
    const { rules, commands } = decodeEntry(bytes);
    return { rules, kinds: commands.map(({ kind }) => kind) };
  });
}

/** A history at a level: a topic. */
async function writeAt(level: RulesVersion): Promise<void> {
  const topics = [{ name: 'orders', topicId: randomIds.uuidBytes(), partitions: 1, configs: [] }];
  const commands: Command[] = [
    { kind: 'raise-rules-level', level },
    { kind: 'create-topics', topics, validateOnly: false },
  ];
  const entry = encodeEntry({ nowMs: fixture.clock.nowMs(), rules: level, commands });
  await fixture.journal.append(fixture.cluster, JOURNAL_START, entry);
}

test('the opening entry of a cluster raises it to the newest level', async () => {
  const owner = await fixture.open();
  await fixture.createTopic(owner, 'orders');
  expect(await entries()).toEqual([
    { rules: 6, kinds: ['raise-rules-level'] },
    { rules: 6, kinds: ['create-topics'] },
  ]);
  await fixture.open();
  expect((await entries()).at(-1)).toEqual({ rules: 6, kinds: [] });
});

// So that nobody has to replay it.
test('a history at the level before is raised, and stored whole', async () => {
  await writeAt(5);
  const owner = await fixture.open();
  expect(owner.rules).toBe(6);
  expect(await owner.read(({ topicsByName }) => [...topicsByName.keys()])).toEqual(['orders']);
  expect((await entries()).at(-1)).toEqual({ rules: 6, kinds: ['raise-rules-level'] });
  const readSnapshot = () => fixture.journal.readSnapshot(fixture.cluster.clusterId);
  await vi.waitFor(async () => expect((await readSnapshot())?.position.seq).toBe(owner.journalSeq));
});

test.each([
  [4, 'commit 20bb6d968dd4'],
  [7, 'Run the release that wrote it, or a later one'],
])('a history at the unknown level %d is refused with what to do', async (level, whatToDo) => {
  await writeAt(level as RulesVersion);
  await expect(fixture.open()).rejects.toThrow(whatToDo);
  expect(await fixture.journal.entries(fixture.cluster.clusterId)).toHaveLength(1);
});
