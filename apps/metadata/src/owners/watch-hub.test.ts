import type { AppendedRuns, Id } from '@penstock/metadata-core';
import { expect, test } from 'vitest';
import { ManualClock, settle } from '../testing/manual-clock.ts';
import { WatchHub } from './watch-hub.ts';
import {
  KEY_SHARE,
  MAX_INTEREST_PER_AGENT,
  MAX_INTEREST_PER_CLUSTER,
  MAX_NEWS_BYTES,
  MAX_OPENING_BYTES,
  MAX_STREAMS_PER_CLUSTER,
  STREAM_BYTES,
} from './watch-limits.ts';
import type { WatchStream } from './watch-stream.ts';

const TOPIC: Id = new Uint8Array(16).fill(7);

function setUp() {
  const hub = new WatchHub();
  const clock = new ManualClock();
  let opened = 0;
  const cut: string[] = [];
  function open(agentId = 'agent', keyId = 'key'): WatchStream {
    opened += 1;
    const watchId = `watch-${opened}`;
    return hub.open({ watchId, agentId, keyId, clock, cutOff: () => cut.push(watchId) });
  }
  return { hub, clock, open, cut };
}

function follow(hub: WatchHub, stream: WatchStream, from: number, to: number): string | null {
  let refusal: string | null = null;
  for (let partition = from; partition < to; partition += 1) {
    refusal = hub.addInterest(stream, TOPIC, partition) ?? refusal;
  }
  return refusal;
}

/** A commit of so many runs of one partition. */
function runs(count: number, partition = 0): AppendedRuns {
  const zeros = new Float64Array(count);
  return {
    fileId: TOPIC,
    fileBytes: count,
    count,
    topicIds: [TOPIC],
    topic: new Uint32Array(count),
    partition: new Uint32Array(count).fill(partition),
    position: zeros,
    bytes: zeros,
    baseOffset: Float64Array.from({ length: count }, (_, run) => run),
    records: new Float64Array(count).fill(1),
    maxTimestampMs: zeros,
    logStartOffset: zeros,
    highWatermark: Float64Array.from({ length: count }, (_, run) => run + 1),
    lastStableOffset: null,
    storedBytes: 0,
    uncompressedBytes: 0,
    totalRecords: 0,
  };
}

test('a key leaves room for streams of other keys', () => {
  const { hub, open } = setUp();
  for (let n = 0; n < MAX_STREAMS_PER_CLUSTER * KEY_SHARE; n += 1) {
    expect(hub.refusal('one')).toBeNull();
    open(`agent-${n}`, 'one');
  }
  expect(hub.refusal('one')).toMatch(/agent key has 1600 watch streams open.*revoke/);
  for (let n = MAX_STREAMS_PER_CLUSTER * KEY_SHARE; n < MAX_STREAMS_PER_CLUSTER; n += 1) {
    expect(hub.refusal('two')).toBeNull();
    open(`agent-${n}`, 'two');
  }
  expect(hub.refusal('three')).toMatch(/2000 watch streams/);
});

test('bounds what is followed by agent, by key and by cluster', () => {
  const { hub, open } = setUp();
  const [first, second] = [open('a', 'one'), open('a', 'one')];
  expect(follow(hub, first, 0, MAX_INTEREST_PER_AGENT - 1)).toBeNull();
  expect(follow(hub, second, 0, 1)).toBeNull();
  expect(follow(hub, second, 1, 2)).toMatch(/agent follows 250000 partitions/);
  // One that is followed already is no growth.
  expect(follow(hub, first, 0, 1)).toBeNull();
  for (const agent of ['b', 'c']) {
    expect(follow(hub, open(agent, 'one'), 0, MAX_INTEREST_PER_AGENT)).toBeNull();
  }
  const last = open('d', 'one');
  expect(follow(hub, last, 0, MAX_INTEREST_PER_AGENT)).toMatch(/one key/);
  const other = open('e', 'two');
  expect(follow(hub, other, 0, MAX_INTEREST_PER_CLUSTER * (1 - KEY_SHARE))).toBeNull();
  expect(follow(hub, other, 0, MAX_INTEREST_PER_AGENT)).toMatch(/virtual cluster follow 1000000 partitions/);
  hub.remove(last, 'closed');
  expect(follow(hub, other, 0, MAX_INTEREST_PER_AGENT)).toBeNull();
});

test('a deleted topic is no longer followed', () => {
  const { hub, open } = setUp();
  const stream = open();
  follow(hub, stream, 0, 1_000);
  expect(hub.memoryBytes).toBeGreaterThan(STREAM_BYTES);
  hub.publish({ catalogue: { topics: [], deletedTopicIds: [TOPIC], agentsChanged: false } });
  expect(stream.interest.size).toBe(0);
  hub.remove(stream, 'closed');
  expect(hub.memoryBytes).toBe(0);
});

test('bounds the events waiting for all streams', () => {
  const { hub, open } = setUp();
  const streams = Array.from({ length: 100 }, (_, n) => open(`agent-${n}`));
  for (const stream of streams) {
    follow(hub, stream, 0, 1);
  }
  for (let n = 0; n < 20; n += 1) {
    hub.publish({ appended: runs(5_000) });
    expect(hub.memoryBytes).toBeLessThanOrEqual(MAX_NEWS_BYTES + 100 * (STREAM_BYTES + 1_000));
  }
  const ended = streams.filter(({ end }) => end === 'too-slow').length;
  expect(ended).toBeGreaterThan(90);
  expect(ended).toBeLessThan(100);
});

test('bounds deletions for a stream that does not read', () => {
  const { hub, open } = setUp();
  const stream = open();
  for (let n = 0; n < 101; n += 1) {
    const deletedTopicIds = Array.from({ length: 1_000 }, (_, at) => {
      const id = new Uint8Array(16);
      new DataView(id.buffer).setUint32(0, n * 1_000 + at);
      return id;
    });
    hub.publish({ catalogue: { topics: [], deletedTopicIds, agentsChanged: false } });
  }
  expect(stream.end).toBe('too-slow');
});

test('splits many runs into events with their own watermarks', async () => {
  const { hub, clock, open } = setUp();
  const stream = open();
  follow(hub, stream, 0, 2);
  hub.publish({ appended: runs(9_000) });
  hub.publish({ appended: runs(10, 1) });
  const sent: [partition: number, highWatermark: number, runs: number][][] = [];
  for (let event = 0; event < 3; event += 1) {
    const next = stream.next();
    await settle();
    await clock.advance(10);
    sent.push(((await next)?.partitions ?? []).map((each) => [each.partition, each.highWatermark, each.runs.length]));
  }
  expect(sent).toEqual([
    [[0, 4_000, 4_000]],
    [[0, 8_000, 4_000]],
    [
      [0, 9_000, 1_000],
      [1, 10, 10],
    ],
  ]);
});

test('disconnects a reader that takes no event', async () => {
  const { hub, clock, open, cut } = setUp();
  const stream = open();
  hub.publish({ catalogue: { topics: [], deletedTopicIds: [TOPIC], agentsChanged: false } });
  await stream.next();
  await clock.advance(20_000);
  expect(stream.isStuck).toBe(false);
  await clock.advance(1);
  expect(stream.isStuck).toBe(true);
  hub.remove(stream, 'too-slow');
  expect(cut).toEqual(['watch-1']);
  expect(hub.memoryBytes).toBe(0);
});

test('first events wait for room that ended streams make', async () => {
  const { hub, open } = setUp();
  const [first, second] = [open('a'), open('b')];
  await hub.roomForFirst(first, MAX_OPENING_BYTES - 10);
  let hasRoom = false;
  const waiting = hub.roomForFirst(second, 20).then(() => {
    hasRoom = true;
  });
  await Promise.resolve();
  expect(hasRoom).toBe(false);
  hub.remove(first, 'too-slow');
  await waiting;
  expect(second.end).toBeUndefined();
});
