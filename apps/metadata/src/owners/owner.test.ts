import { decodeEntry, describeTopics } from '@penstock/metadata-core';
import { HOUR_MS } from '@penstock/units';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import { NotOwner, OwnerSteppedDown } from './errors.ts';
import type { Owner } from './owner.ts';

/** Observes a promise without waiting for it. */
function watched(promise: Promise<unknown>): { outcome: () => string } {
  let outcome = 'waiting';
  promise.then(
    () => {
      outcome = 'answered';
    },
    (error: Error) => {
      outcome = error.name;
    },
  );
  return { outcome: () => outcome };
}

let fixture: ClusterFixture;
let owner: Owner;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
});

async function commandsOfEntries(): Promise<string[][]> {
  const entries = await fixture.journal.entries(fixture.cluster.clusterId);
  return entries.map((entry) => decodeEntry(entry.bytes).commands.map((command) => command.kind));
}

describe('durability', () => {
  test('a command is answered only once its entry is durable', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const commit = watched(owner.submit(fixture.commit(topicId, [0])));
    await settle();
    expect(commit.outcome()).toBe('waiting');
    fixture.journal.release();
    await settle();
    expect(commit.outcome()).toBe('answered');
  });

  test('commands that arrive during an append share the next one', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const first = owner.submit(fixture.commit(topicId, [0]));
    await settle();
    const later = Array.from({ length: 5 }, () => owner.submit(fixture.commit(topicId, [0])));
    await settle();
    fixture.journal.release();
    const answers = await Promise.all([first, ...later]);
    expect(answers.map((answer) => answer.batchBaseOffset[0])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await commandsOfEntries()).toEqual([
      ['raise-rules-level'],
      ['create-topics'],
      ['commit-file'],
      Array(5).fill('commit-file'),
    ]);
  });

  test('judges a file by the time of the batch that may take it', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const first = owner.submit(fixture.commit(topicId, [0]));
    await settle();
    const batchMs = fixture.clock.nowMs();
    const late = fixture.commit(topicId, [0]);
    const second = owner.submit(fixture.commit(topicId, [0]));
    await fixture.clock.advance(2 * HOUR_MS);
    expect(owner.nextCommandMs()).toBe(batchMs);
    const third = owner.submit(late);
    await settle();
    fixture.journal.release();
    const answers = await Promise.all([first, second, third]);
    expect(answers.map((answer) => answer.batchBaseOffset[0])).toEqual([0, 1, 2]);
    expect(owner.nextCommandMs()).toBe(batchMs + 2 * HOUR_MS);
  });

  test('a read waits until the state it saw is durable', async () => {
    await fixture.createTopic(owner, 'first');
    fixture.journal.hold();
    const creation = fixture.createTopic(owner, 'second');
    const read = owner.read((state) => describeTopics(state).map((topic) => topic.name));
    const watchedRead = watched(read);
    await settle();
    expect(watchedRead.outcome()).toBe('waiting');
    fixture.journal.release();
    await creation;
    expect(await read).toEqual(['first', 'second']);
  });

  test('a refusal waits until the state behind it is durable', async () => {
    fixture.journal.hold();
    const creation = fixture.createTopic(owner, 'orders');
    const refusal = watched(fixture.createTopic(owner, 'orders'));
    await settle();
    expect(refusal.outcome()).toBe('waiting');
    fixture.journal.release();
    await creation;
    await settle();
    expect(refusal.outcome()).toBe('Error');
  });

  test('a request repeated in flight is stored and answered once', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const command = fixture.commit(topicId, [0], 7);
    const [first, second] = [owner.submit(command), owner.submit(command)];
    await settle();
    fixture.journal.release();
    expect((await second).batchBaseOffset).toEqual((await first).batchBaseOffset);
    expect(await commandsOfEntries()).toEqual([['raise-rules-level'], ['create-topics'], ['commit-file']]);
  });

  test('acknowledged commands survive every later opening', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    const command = fixture.commit(topicId, [0], 3);
    const answer = await owner.submit(command);
    const next = await fixture.open();
    expect((await next.submit(command)).batchBaseOffset).toEqual(answer.batchBaseOffset);
    expect((await next.submit(fixture.commit(topicId, [0]))).batchBaseOffset[0]).toBe(3);
  });
});

describe('fencing', () => {
  test('an owner that was replaced answers nothing', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    const replacement = await fixture.open();
    const stale: Promise<unknown>[] = [
      owner.submit(fixture.commit(topicId, [0])),
      fixture.createTopic(owner, 'orders'),
      owner.read((state) => describeTopics(state)),
    ];
    const calls = stale.map(watched);
    await settle();
    expect(calls.map((call) => call.outcome())).toEqual(Array(3).fill('OwnerSteppedDown'));
    await expect(owner.read((state) => state.clusterId)).rejects.toThrow(OwnerSteppedDown);
    expect((await replacement.submit(fixture.commit(topicId, [0]))).batchBaseOffset[0]).toBe(0);
  });

  test('a replacement keeps an append made just before the fence', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const commit = owner.submit(fixture.commit(topicId, [0], 2));
    await settle();
    // The replacement has read the journal; the earlier owner's append lands before the replacement's own.
    const opening = fixture.open();
    await settle();
    fixture.journal.release();
    expect((await commit).batchBaseOffset[0]).toBe(0);
    const replacement = await opening;
    expect((await replacement.submit(fixture.commit(topicId, [0]))).batchBaseOffset[0]).toBe(2);
  });

  // Another owner may have newer state.
  test('without a valid lease reads and refusals are not answered', async () => {
    await fixture.createTopic(owner, 'orders');
    fixture.isLeaseValid = false;
    await expect(owner.read((state) => describeTopics(state))).rejects.toThrow(NotOwner);
    await expect(fixture.createTopic(owner, 'orders')).rejects.toThrow(NotOwner);
    fixture.isLeaseValid = true;
    expect(await owner.read((state) => describeTopics(state).length)).toBe(1);
  });

  // And rejects its callers.
  test('an owner that retires during a failed append frees its lease', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    fixture.journal.failNext('answer-lost-after-storing');
    const commit = watched(owner.submit(fixture.commit(topicId, [0])));
    await settle();
    const retired = watched(owner.retire());
    fixture.journal.release();
    await settle();
    expect(commit.outcome()).toBe('OwnerSteppedDown');
    expect(retired.outcome()).toBe('answered');
  });

  test('an owner that retires only answers calls in progress', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const underWay = owner.submit(fixture.commit(topicId, [0]));
    const retired = owner.retire();
    await expect(owner.submit(fixture.commit(topicId, [0]))).rejects.toThrow(NotOwner);
    fixture.journal.release();
    await retired;
    expect((await underWay).batchBaseOffset[0]).toBe(0);
  });
});

describe('an append whose outcome is unknown', () => {
  test.each([
    { fault: 'lost-before-storing' as const, meaning: 'did not happen' },
    { fault: 'answer-lost-after-storing' as const, meaning: 'did happen' },
  ])('is never answered; the retry counts once when it $meaning', async ({ fault }) => {
    const topicId = await fixture.createTopic(owner, 'orders');
    const command = fixture.commit(topicId, [0], 5);
    fixture.journal.failNext(fault);
    await expect(owner.submit(command)).rejects.toThrow(OwnerSteppedDown);
    expect(owner.isClosed).toBe(true);
    const next = await fixture.open();
    expect((await next.submit(command)).batchBaseOffset[0]).toBe(0);
    expect((await next.submit(fixture.commit(topicId, [0]))).batchBaseOffset[0]).toBe(5);
  });

  test('fails the commands that wait for the next append, too', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    fixture.journal.failNext('lost-before-storing');
    const inFlight = watched(owner.submit(fixture.commit(topicId, [0])));
    await settle();
    const waiting = watched(owner.submit(fixture.commit(topicId, [0])));
    await settle();
    fixture.journal.release();
    await settle();
    expect([inFlight.outcome(), waiting.outcome()]).toEqual(['OwnerSteppedDown', 'OwnerSteppedDown']);
    expect(await commandsOfEntries()).toEqual([['raise-rules-level'], ['create-topics']]);
  });
});

describe('time', () => {
  async function lastEntry() {
    const entry = (await fixture.journal.entries(fixture.cluster.clusterId)).at(-1);
    return decodeEntry(entry?.bytes ?? new Uint8Array());
  }

  test.each([
    { byMs: 30_000, commands: ['commit-file'] },
    { byMs: 3_600_000, commands: ['set-clock-back', 'commit-file'] },
  ])('follows the database’s clock back by $byMs ms, across owners', async ({ byMs, commands }) => {
    owner = await fixture.open();
    const topicId = await fixture.createTopic(owner, 'orders');
    await fixture.clock.advance(60_000);
    await owner.submit(fixture.commit(topicId, [0]));
    fixture.clock.setBack(byMs);
    expect((await owner.submit(fixture.commit(topicId, [0]))).errorCode).toBe(0);
    const entry = await lastEntry();
    expect(entry.commands.map(({ kind }) => kind)).toEqual(commands);
    expect(entry.nowMs).toBe(fixture.clock.nowMs());
    const next = await fixture.open();
    expect((await next.submit(fixture.commit(topicId, [0]))).batchBaseOffset[0]).toBe(2);
    expect((await lastEntry()).nowMs).toBe(fixture.clock.nowMs());
  });

  test('commands of one entry share the time of the first', async () => {
    const topicId = await fixture.createTopic(owner, 'orders');
    fixture.journal.hold();
    const first = owner.submit(fixture.commit(topicId, [0]));
    await settle();
    const second = owner.submit(fixture.commit(topicId, [0]));
    const openedMs = fixture.clock.nowMs();
    await fixture.clock.advance(100);
    const third = owner.submit(fixture.commit(topicId, [0]));
    fixture.journal.release();
    await Promise.all([first, second, third]);
    const last = (await fixture.journal.entries(fixture.cluster.clusterId)).at(-1);
    expect(decodeEntry(last?.bytes ?? new Uint8Array()).nowMs).toBe(openedMs);
  });
});
