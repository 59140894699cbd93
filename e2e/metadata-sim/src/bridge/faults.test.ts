// Each fault in turn, with a producer that repeats its file until it is answered.
import { afterEach, expect, test } from 'vitest';
import { BridgeChild } from './testing/bridge-child.ts';
import { fileId, fileOf, REGISTRATION } from './testing/files.ts';

const PRODUCER_ID = 7;
const FILES_PER_FAULT = 3;
const PATIENCE_MS = 2_000;
const PAUSE_MS = 300;
const MAX_ATTEMPTS = 100;

const FAULTS: readonly Record<string, unknown>[] = [
  { name: 'restart-owner', durationMs: 3_000 },
  { name: 'shut-down-owner', durationMs: 1_000 },
  { name: 'pause-owner', durationMs: 8_000 },
  { name: 'suspend-owner', durationMs: 8_000 },
  { name: 'unreachable-owner', durationMs: 7_000 },
  { name: 'owner-clock', offsetMs: 300_000 },
  { name: 'database-outage', durationMs: 9_000 },
  { name: 'database-slow', durationMs: 5_000, share: 0.3 },
  { name: 'database-errors', durationMs: 4_000, share: 0.5 },
  { name: 'append-lost', durationMs: 2_000, share: 0.7 },
  { name: 'append-answer-lost', durationMs: 2_000, share: 0.7 },
  { name: 'append-late', durationMs: 2_000, share: 0.7 },
];

const started: BridgeChild[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((bridge) => bridge.end()));
});

interface Partition {
  highWatermark: number;
  batches: { baseOffset: number; baseSequence: number }[];
}

/** Repeats a call until it is answered without an error. */
async function untilDone<Answer>(
  bridge: BridgeChild,
  call: () => Promise<{ header: Readonly<Record<string, unknown>>; answer: Answer }>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const reply = await call().catch(() => undefined);
    if (reply !== undefined && reply.header['error'] === undefined) {
      return reply.answer;
    }
    await bridge.advance(PAUSE_MS);
  }
  throw new Error(`no answer after ${MAX_ATTEMPTS} attempts`);
}

/** Commits one file after the other under all faults. @returns the offsets acknowledged, and those that are durable */
async function playAll(seed: number): Promise<{ acknowledged: number[]; partition: Partition; hash: string }> {
  const bridge = await BridgeChild.start(seed);
  started.push(bridge);
  return await playOn(bridge);
}

async function playOn(bridge: BridgeChild): Promise<{ acknowledged: number[]; partition: Partition; hash: string }> {
  const within = { withinMs: PATIENCE_MS };
  await untilDone(bridge, () => bridge.call('registerAgent', REGISTRATION, within));
  const topics = [{ name: 'orders', partitions: 1 }];
  await untilDone(bridge, () => bridge.call('createTopics', { topics }, within));
  const described = await untilDone(bridge, () => bridge.call('describeCluster', { topicNames: ['orders'] }, within));
  const topicId = described.topics[0]?.topicId ?? new Uint8Array(0);
  const acknowledged: number[] = [];
  for (const fault of FAULTS) {
    await bridge.send({ type: 'fault', ...fault });
    for (let nth = 0; nth < FILES_PER_FAULT; nth += 1) {
      const sequence = acknowledged.length;
      const file = fileOf(fileId(sequence + 1, bridge.nowMs), topicId, 1, 1_000, [PRODUCER_ID, 0, sequence]);
      const { batchBaseOffset } = await untilDone(bridge, () => bridge.call('commitFile', file, within));
      acknowledged.push(Number(batchBaseOffset[0]));
    }
  }
  const facts = (await bridge.facts()) as unknown as { topics: { partitions: Partition[] }[] };
  const partition = facts.topics[0]?.partitions[0];
  if (partition === undefined) {
    throw new Error('the topic has a partition');
  }
  return { acknowledged, partition, hash: bridge.outputHash() };
}

test('one_seed_gives_one_output_and_no_fault_loses_a_commit', async () => {
  const [first, again, other] = await Promise.all([playAll(1), playAll(1), playAll(2)]);
  const offsets = Array.from({ length: FAULTS.length * FILES_PER_FAULT }, (_, offset) => offset);
  for (const { acknowledged, partition } of [first, again, other]) {
    expect(acknowledged).toEqual(offsets);
    expect(partition.batches.map(({ baseOffset }) => baseOffset)).toEqual(offsets);
    expect(partition.batches.map(({ baseSequence }) => baseSequence)).toEqual(offsets);
    expect(partition.highWatermark).toBe(offsets.length);
  }
  expect(again.hash).toBe(first.hash);
  expect(other.hash).not.toBe(first.hash);
});

// A host whose clock is wrong owns nothing.
test('the clock of one host stays right', async () => {
  const bridge = await BridgeChild.start(1);
  started.push(bridge);
  const within = { withinMs: PATIENCE_MS };
  await untilDone(bridge, () => bridge.call('registerAgent', REGISTRATION, within));
  for (let nth = 0; nth < 3; nth += 1) {
    await bridge.send({ type: 'fault', name: 'owner-clock', offsetMs: 300_000 });
    await bridge.advance(20_000);
    const { topics } = await untilDone(bridge, () => bridge.call('describeCluster', {}, within));
    expect(topics).toEqual([]);
  }
});

test('a_leap_of_days_is_over_at_once', async () => {
  const bridge = await BridgeChild.start(1);
  started.push(bridge);
  const within = { withinMs: PATIENCE_MS };
  await untilDone(bridge, () => bridge.call('registerAgent', REGISTRATION, within));
  bridge.nowMs += 55 * 3_600_000;
  await bridge.send({ type: 'leap' });
  const { topics } = await untilDone(bridge, () => bridge.call('describeCluster', {}, within));
  expect(topics).toEqual([]);
});

test('a_stream_that_meets_a_failing_database_may_try_again', async () => {
  const bridge = await BridgeChild.start(1);
  started.push(bridge);
  await untilDone(bridge, () => bridge.call('registerAgent', REGISTRATION, { withinMs: PATIENCE_MS }));
  await bridge.send({ type: 'fault', name: 'database-errors', durationMs: PAUSE_MS, share: 1 });
  const { answers } = await bridge.begin('watch', { agentId: REGISTRATION.agentId ?? '' });
  const [end] = [...answers, ...(await bridge.advance(PAUSE_MS))];
  expect(end?.header).toMatchObject({ type: 'end', error: { code: 'unavailable' } });
});

test('a restart begins as a new process does', async () => {
  const { hash } = await playAll(3);
  const bridge = await BridgeChild.start(4);
  started.push(bridge);
  await playOn(bridge);
  // In the middle of a fault, with calls that nobody answered.
  await bridge.send({ type: 'fault', name: 'database-outage', durationMs: 60_000 });
  await bridge.begin('describeCluster', {});
  await bridge.restart(3);
  expect((await playOn(bridge)).hash).toBe(hash);
});
