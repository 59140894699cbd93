// The program as a child process: frames in lock-step, on virtual time.
import { fromBinary } from '@bufbuild/protobuf';
import { WatchEventSchema } from '@penstock/metadata-protocol';
import { afterEach, expect, test } from 'vitest';
import type { Frame } from './frames.ts';
import { BridgeChild } from './testing/bridge-child.ts';
import { AGENT_ID, fileId, fileOf, REGISTRATION } from './testing/files.ts';

const TAKEOVER_MS = 6_000;
const started: BridgeChild[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((bridge) => bridge.end()));
});

async function start(seed = 1): Promise<BridgeChild> {
  const bridge = await BridgeChild.start(seed);
  started.push(bridge);
  return bridge;
}

async function withTopic(bridge: BridgeChild): Promise<Uint8Array> {
  await bridge.call('registerAgent', REGISTRATION);
  const { answer } = await bridge.call('createTopics', { topics: [{ name: 'orders', partitions: 1 }] });
  expect(answer.results[0]?.errorCode).toBe(0);
  const described = await bridge.call('describeCluster', { topicNames: ['orders'] });
  return described.answer.topics[0]?.topicId ?? new Uint8Array(0);
}

function eventsOf(frames: readonly Frame[], id: number) {
  return frames
    .filter(({ header }) => header['type'] === 'event' && header['id'] === id)
    .map(({ body }) => fromBinary(WatchEventSchema, body));
}

interface Facts {
  topics: {
    partitions: { highWatermark: number; runs: object[]; batches: { producerId: number; baseSequence: number }[] }[];
  }[];
  metered: { uncompressedBytes: string; totalUncompressedBytes: string };
  referenced: { key: string }[];
  agents: { agentId: string }[];
  processes: { url: string; isOwner: boolean }[];
}

test('a_commit_reaches_watchers_and_survives_its_owner', async () => {
  const bridge = await start();
  const topicId = await withTopic(bridge);
  const { id, answers } = await bridge.begin('watch', { agentId: AGENT_ID });
  const [first] = eventsOf([...answers, ...(await bridge.advance(20))], id);
  expect(first?.catalogue?.full).toBe(true);
  const partition = { topicId, partition: 0 };
  await bridge.call('updateInterest', { watchId: first?.watchId ?? '', add: [partition] });

  const commit = await bridge.call('commitFile', fileOf(fileId(1, bridge.nowMs), topicId, 3, 1_000, [7, 0, 0]));
  expect(commit.answer.batchBaseOffset).toEqual([0n]);
  const news = eventsOf([...commit.others, ...(await bridge.advance(1_000))], id).flatMap((event) => event.partitions);
  expect(news[0]?.highWatermark).toBe(3n);

  const before = (await bridge.facts()) as unknown as Facts;
  const broken = await bridge.send({ type: 'fault', name: 'restart-owner', durationMs: 60_000 });
  expect(broken.map(({ header }) => [header['type'], header['id'], header['reset']])).toEqual([['end', id, true]]);
  await bridge.advance(TAKEOVER_MS);
  const next = await bridge.call('commitFile', fileOf(fileId(2, bridge.nowMs), topicId, 2, 1_000, [7, 0, 3]));
  expect(next.answer.batchBaseOffset).toEqual([3n]);

  const after = (await bridge.facts()) as unknown as Facts;
  const ownerOf = ({ processes }: Facts) => processes.find(({ isOwner }) => isOwner)?.url;
  expect(ownerOf(after)).toBeDefined();
  expect(ownerOf(after)).not.toBe(ownerOf(before));
  expect(after.topics[0]?.partitions[0]?.highWatermark).toBe(5);
  expect(after.topics[0]?.partitions[0]?.runs).toHaveLength(2);
  expect(after.topics[0]?.partitions[0]?.batches.map((batch) => [batch.producerId, batch.baseSequence])).toEqual([
    [7, 0],
    [7, 3],
  ]);
  expect(after.referenced).toHaveLength(2);
  expect(after.metered).toMatchObject({ uncompressedBytes: '644', totalUncompressedBytes: '644' });
  expect(after.agents.map(({ agentId }) => agentId)).toEqual([AGENT_ID]);
});

test('a_lost_answer_has_taken_effect_and_a_lost_request_not', async () => {
  const bridge = await start();
  const topicId = await withTopic(bridge);
  const first = fileOf(fileId(1, bridge.nowMs), topicId, 3, 1_000);
  const lost = await bridge.begin('commitFile', first, { lose: 'answer' });
  expect([...lost.answers, ...(await bridge.advance(1_000))]).toEqual([]);
  const never = fileOf(fileId(2, bridge.nowMs), topicId, 3, 1_000);
  const unsent = await bridge.begin('commitFile', never, { lose: 'request' });
  expect([...unsent.answers, ...(await bridge.advance(1_000))]).toEqual([]);
  const again = await bridge.call('commitFile', first);
  expect(again.answer.batchBaseOffset).toEqual([0n]);
  const later = await bridge.call('commitFile', fileOf(fileId(3, bridge.nowMs), topicId, 1, 1_000));
  expect(later.answer.batchBaseOffset).toEqual([3n]);
});

test('a_call_without_a_good_key_is_refused', async () => {
  const bridge = await start();
  const { answers } = await bridge.begin('describeCluster', {}, { headers: { authorization: 'Bearer psk_agent_x' } });
  expect(answers[0]?.header).toMatchObject({ type: 'response', error: { code: 'unauthenticated', status: 401 } });
});

test('a_cancelled_stream_says_nothing_more', async () => {
  const bridge = await start();
  await withTopic(bridge);
  const { id } = await bridge.begin('watch', { agentId: AGENT_ID });
  await bridge.advance(20);
  expect(await bridge.send({ type: 'cancel', id })).toEqual([]);
  expect(await bridge.advance(10_000)).toEqual([]);
});
