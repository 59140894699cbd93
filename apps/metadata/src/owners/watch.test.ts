import type { Id } from '@penstock/metadata-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import type { Owner } from './owner.ts';
import type { WatchNews, WatchStream } from './watch-stream.ts';

let fixture: ClusterFixture;
let owner: Owner;
let topicId: Id;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  topicId = await fixture.createTopic(owner, 'orders', 3);
});

/** Takes the next event after advancing the clock by the time for which pushes are collected. */
async function nextNews(stream: WatchStream): Promise<WatchNews | undefined> {
  const news = stream.next();
  await settle();
  await fixture.clock.advance(10);
  return await news;
}

function follow(stream: WatchStream, topic: Id, partitions: readonly number[]): (string | null)[] {
  return partitions.map((partition) => owner.watches.addInterest(stream, topic, partition));
}

function openInterested(partitions: readonly number[]): WatchStream {
  const { stream } = owner.watches.open('agent');
  expect(follow(stream, topicId, partitions)).toEqual(partitions.map(() => null));
  return stream;
}

function offsets(news: WatchNews | undefined): [partition: number, highWatermark: number, runs: number][] {
  return (news?.partitions ?? []).map(({ partition, highWatermark, runs }) => [partition, highWatermark, runs.length]);
}

describe('interest', () => {
  test('a stream gets runs only of the partitions it asked for', async () => {
    const stream = openInterested([0, 2]);
    await owner.submit(fixture.commit(topicId, [0, 1, 2], 5));
    expect(offsets(await nextNews(stream))).toEqual([
      [0, 5, 1],
      [2, 5, 1],
    ]);
  });

  test('a stream gets nothing for interest that was withdrawn', async () => {
    const stream = openInterested([0, 1]);
    owner.watches.removeInterest(stream, topicId, 0);
    await owner.submit(fixture.commit(topicId, [0, 1]));
    expect(offsets(await nextNews(stream))).toEqual([[1, 1, 1]]);
  });
});

describe('events', () => {
  test('a run is sent only once its commit is durable', async () => {
    const stream = openInterested([0]);
    fixture.journal.hold();
    const commit = owner.submit(fixture.commit(topicId, [0]));
    let isNotified = false;
    const news = nextNews(stream).then((event) => {
      isNotified = true;
      return event;
    });
    await fixture.clock.advance(100);
    expect(isNotified).toBe(false);
    fixture.journal.release();
    await commit;
    await fixture.clock.advance(10);
    expect(offsets(await news)).toEqual([[0, 1, 1]]);
  });

  test('close commits are sent in one event, in offset order', async () => {
    const stream = openInterested([0]);
    // The first event of a stream is sent without delay.
    await owner.submit(fixture.commit(topicId, [0]));
    await nextNews(stream);
    for (let n = 0; n < 3; n += 1) {
      await owner.submit(fixture.commit(topicId, [0], 2));
    }
    const news = await nextNews(stream);
    expect(offsets(news)).toEqual([[0, 7, 3]]);
    expect(news?.partitions[0]?.runs.map((run) => 'commit' in run && run.commit.baseOffset[run.run])).toEqual([
      1, 3, 5,
    ]);
  });

  test('sends a changed log start with the high watermark', async () => {
    await owner.submit(fixture.commit(topicId, [0], 9));
    const stream = openInterested([0]);
    await owner.submit({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset: 4 }] });
    const news = await nextNews(stream);
    expect(news?.partitions[0]).toMatchObject({ logStartOffset: 4, highWatermark: 9, runs: [] });
  });

  test('a topic that was never announced is only sent as deleted', async () => {
    const stream = openInterested([]);
    const brief = await fixture.createTopic(owner, 'brief');
    await owner.submit({ kind: 'delete-topics', names: ['brief'], topicIds: [] });
    const news = await nextNews(stream);
    expect(news?.catalogue?.topics).toEqual([]);
    expect(news?.catalogue?.deletedTopicIds.map((id) => Buffer.from(id))).toEqual([Buffer.from(brief)]);
  });

  test('changed settings reach every stream', async () => {
    const stream = openInterested([]);
    owner.applySettings({ defaultPartitions: 9 });
    expect((await nextNews(stream))?.settings?.defaultPartitions).toBe(9);
  });
});

describe('ends', () => {
  // So the owner's memory is bounded.
  test('a reader too far behind loses its stream', async () => {
    const stream = openInterested([0, 1, 2]);
    const commit = fixture.commit(topicId, Array(2_000).fill(0));
    for (let n = 0; n < 101; n += 1) {
      await owner.submit({ ...commit, fileId: fixture.commit(topicId, [0]).fileId });
    }
    expect(stream.end).toBe('too-slow');
    expect(await stream.next()).toBeUndefined();
  });

  test('streams end when their owner steps down', async () => {
    const stream = openInterested([0]);
    fixture.journal.failNext('lost-before-storing');
    await owner.submit(fixture.commit(topicId, [0])).catch(() => undefined);
    expect(stream.end).toBe('owner-stepped-down');
  });
});

test('sends a run only to its readers among a thousand streams', async () => {
  const wide = await fixture.createTopic(owner, 'wide', 4_608);
  const streams = Array.from({ length: 1_000 }, (_, agent) => owner.watches.open(`agent-${agent}`).stream);
  // Agent n reads ten partitions starting at 10 n, wrapping around at the end.
  for (const [agent, stream] of streams.entries()) {
    const own = Array.from({ length: 10 }, (_, n) => (agent * 10 + n) % 4_608);
    follow(stream, wide, own);
  }
  await owner.submit(fixture.commit(wide, [0, 9, 4_000]));
  const notified = await Promise.all(streams.map(isNotified));
  expect([...notified.keys()].filter((agent) => notified[agent])).toEqual([0, 400, 460, 461, 860, 921, 922]);
});

/** Whether the stream has an event for a partition now. */
async function isNotified(stream: WatchStream): Promise<boolean> {
  let notified = false;
  void stream.next().then((news) => {
    notified = (news?.partitions.length ?? 0) > 0;
  });
  await settle();
  return notified;
}
