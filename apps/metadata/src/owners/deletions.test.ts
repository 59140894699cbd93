import type { Id } from '@penstock/metadata-core';
import { expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { JournalUnreachable } from './errors.ts';
import type { Owner } from './owner.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 10 * MINUTE_MS;

function hex(fileIds: readonly Uint8Array[]): string[] {
  return fileIds.map((fileId) => Buffer.from(fileId).toString('hex'));
}

/** A cluster whose deleted topic left this many dead files behind. */
async function withDeadFiles(count: number, options: { restoreWindowMs?: number; maxDeadFiles?: number } = {}) {
  const fixture = new ClusterFixture();
  Object.assign(fixture, { restoreWindowMs: WINDOW_MS, ...options });
  const owner = await fixture.open();
  const topicId = await fixture.createTopic(owner, 'orders');
  const fileIds: Id[] = [];
  for (let number = 0; number < count; number += 1) {
    const commit = fixture.commit(topicId, [0]);
    fileIds.push(commit.fileId);
    await owner.submit(commit);
  }
  await owner.submit({ kind: 'delete-topics', names: ['orders'], topicIds: [] });
  return { fixture, owner, fileIds, topicId };
}

async function counts(owner: Owner): Promise<{ known: number; dead: number }> {
  return await owner.read(({ files }) => ({ known: files.size, dead: files.dead }));
}

test('a dead file waits for the restore window', async () => {
  const { fixture, owner, fileIds } = await withDeadFiles(2);
  await fixture.clock.advance(MINUTE_MS);
  expect(await owner.deletions.take(10)).toEqual([]);
  await fixture.clock.advance(WINDOW_MS - 1);
  expect(await owner.deletions.take(10)).toEqual([]);
  await fixture.clock.advance(1);
  expect(hex(await owner.deletions.take(10)).sort()).toEqual(hex(fileIds).sort());
});

test('a file that waits takes no memory of the state', async () => {
  const { fixture, owner, fileIds } = await withDeadFiles(3);
  expect(await counts(owner)).toEqual({ known: 3, dead: 3 });
  await fixture.clock.advance(MINUTE_MS);
  await owner.deletions.take(10);
  expect(await counts(owner)).toEqual({ known: 0, dead: 0 });
  const { files, bytes } = await fixture.deadFiles.totals(fixture.cluster.clusterId);
  expect([files, bytes]).toEqual([3, 3 * 161]);
  expect(await owner.knownFiles(fileIds)).toEqual([true, true, true]);
});

test('a confirmed deletion is forgotten', async () => {
  const { fixture, owner, fileIds } = await withDeadFiles(2, { restoreWindowMs: 0 });
  await fixture.clock.advance(MINUTE_MS);
  const taken = await owner.deletions.take(1);
  await owner.deletions.confirm(taken);
  const known = await owner.knownFiles(fileIds);
  expect(known.filter(Boolean)).toHaveLength(1);
  expect(await owner.deletions.take(10)).toHaveLength(1);
});

test('a file stays known while it moves to the table', async () => {
  const { fixture, owner, fileIds } = await withDeadFiles(1);
  await fixture.clock.advance(MINUTE_MS);
  const store = fixture.deadFiles;
  const add = store.add.bind(store);
  const seen: boolean[] = [];
  store.add = async (...args) => {
    seen.push(...(await owner.knownFiles(fileIds)));
    await add(...args);
    seen.push(...(await owner.knownFiles(fileIds)));
  };
  await owner.deletions.take(10);
  expect([...seen, ...(await owner.knownFiles(fileIds))]).toEqual([true, true, true]);
});

test('a database that fails in between loses no file', async () => {
  const { fixture, owner, fileIds } = await withDeadFiles(2, { restoreWindowMs: 0 });
  await fixture.clock.advance(MINUTE_MS);
  const store = fixture.deadFiles;
  const add = store.add.bind(store);
  store.add = async (...args) => {
    await add(...args);
    throw new Error('the connection broke');
  };
  await expect(owner.deletions.take(10)).rejects.toThrow(JournalUnreachable);
  store.add = add;
  // The state has leased them to the handover that failed.
  await fixture.clock.advance(5 * MINUTE_MS);
  expect(hex(await owner.deletions.take(10)).sort()).toEqual(hex(fileIds).sort());
  expect(await counts(owner)).toEqual({ known: 0, dead: 0 });
});

test('a file that partitions refer to is never handed out', async () => {
  const { fixture, owner } = await withDeadFiles(1, { restoreWindowMs: 0 });
  const topicId = await fixture.createTopic(owner, 'payments');
  const commit = fixture.commit(topicId, [0]);
  await owner.submit(commit);
  const { clusterId } = fixture.cluster;
  await fixture.deadFiles.add(clusterId, [{ fileId: commit.fileId, bytes: 1, deleteAfterMs: 0 }]);
  await fixture.clock.advance(MINUTE_MS);
  expect(hex(await owner.deletions.take(10))).not.toContain(hex([commit.fileId])[0]);
  expect(await fixture.deadFiles.holds(clusterId, [commit.fileId])).toEqual([false]);
});

test('the oldest go early where too many wait', async () => {
  const { fixture, owner, fileIds } = await withDeadFiles(5, { maxDeadFiles: 3 });
  await fixture.clock.advance(MINUTE_MS);
  const taken = await owner.deletions.take(10);
  expect(taken).toHaveLength(2);
  await owner.deletions.confirm(taken);
  expect(await owner.deletions.take(10)).toEqual([]);
  expect((await owner.knownFiles(fileIds)).filter(Boolean)).toHaveLength(3);
});
