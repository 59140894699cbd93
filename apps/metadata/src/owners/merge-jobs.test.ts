import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { clusterTotals, fileCounts, type Id, idKey, partitionViews, replacementOf } from '@penstock/metadata-core';
import { CompleteJobRequestSchema, TakeJobRequestSchema, TakeJobResponseSchema } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { beforeEach, describe, expect, test } from 'vitest';
import { completeJob } from '../rpc/complete-job.ts';
import { takeJob } from '../rpc/take-job.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { randomIds } from './ids.ts';
import type { TakenJob } from './merge-jobs.ts';
import type { Owner } from './owner.ts';

let fixture: ClusterFixture;
let owner: Owner;
let topicId: Id;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  topicId = await fixture.createTopic(owner, 'orders', 2);
  for (const agentId of ['one', 'two']) {
    await register(agentId);
  }
});

async function register(agentId: string): Promise<void> {
  await owner.agents.register({
    kind: 'register-agent',
    agentId,
    zone: '',
    version: '1.0.0',
    advertisedHost: 'localhost',
    advertisedPort: 9092,
    bucket: 's3://bucket',
    keyId: 'key',
  });
}

/** Commits some files and lets a minute pass. */
async function writeFiles(count: number): Promise<void> {
  for (let file = 0; file < count; file += 1) {
    await owner.submit(fixture.commit(topicId, [0, 1]));
  }
  await pass(MINUTE_MS);
}

/** Lets time pass while the agents stay alive. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 3_000) {
    for (const agentId of ['one', 'two']) {
      owner.agents.heartbeat(agentId, undefined);
    }
    await fixture.clock.advance(Math.min(left, 3_000));
  }
}

async function taken(agentId = 'one'): Promise<NonNullable<TakenJob['taken']>> {
  const { taken: found } = await owner.takeJob(agentId, { runningJobIds: [], wantsJob: true });
  if (found === undefined) {
    throw new Error('there was no job');
  }
  return found;
}

function swapOf({ job }: NonNullable<TakenJob['taken']>) {
  const fileId = Buffer.from(newId(fixture.clock.nowMs()).replaceAll('-', ''), 'hex');
  return replacementOf(job, fileId, job.bytes + 100);
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return error instanceof ConnectError ? error.message : `not refused but failed: ${error}`;
  }
  throw new Error('it was not refused');
}

describe('a merge job', () => {
  test('goes to one agent and leaves one live file, unmetered', async () => {
    await writeFiles(5);
    const before = await owner.read(clusterTotals);
    const mine = await taken('one');
    expect(mine.job).toMatchObject({ level: 1, targetRuns: [5, 5] });
    expect((await owner.takeJob('two', { runningJobIds: [], wantsJob: true })).taken).toBeUndefined();
    expect(await owner.completeJob('one', 'agent-key', mine, swapOf(mine))).toEqual({ outcome: 'applied', reason: '' });
    expect(await owner.read(fileCounts)).toEqual({ known: 6, dead: 5 });
    expect(await owner.read(clusterTotals)).toEqual(before);
    expect(owner.openJobs).toBe(0);
  });

  test('with files in landing buckets goes to agents that read them', async () => {
    const landed = fixture.commit(topicId, [0, 1]);
    landed.fileId[6] = 0x7a;
    landed.fileId[7] = 0x7d;
    await owner.submit(landed);
    await pass(MINUTE_MS);
    expect(
      (await owner.takeJob('one', { runningJobIds: [], wantsJob: true, canCompact: true, canReadLanded: false })).taken,
    ).toBeUndefined();
    const { taken: found } = await owner.takeJob('two', {
      runningJobIds: [],
      wantsJob: true,
      canCompact: true,
      canReadLanded: true,
    });
    expect(found?.job.sourceFileIds.map(idKey)).toEqual([idKey(landed.fileId)]);
  });

  test('passes to another agent after a minute without renewal', async () => {
    await writeFiles(5);
    const { jobId, job } = await taken('one');
    for (let turn = 0; turn < 5; turn += 1) {
      await pass(20_000);
      expect((await owner.takeJob('one', { runningJobIds: [jobId], wantsJob: false })).lostJobIds).toEqual([]);
      expect((await owner.takeJob('two', { runningJobIds: [], wantsJob: true })).taken).toBeUndefined();
    }
    await pass(61_000);
    await owner.takeJob('two', { runningJobIds: [], wantsJob: true });
    await pass(30_000);
    expect((await taken('two')).job.sourceFileIds.map(idKey)).toEqual(job.sourceFileIds.map(idKey));
    expect((await owner.takeJob('one', { runningJobIds: [jobId], wantsJob: false })).lostJobIds).toEqual([jobId]);
  });

  test('completed twice is swapped once, as the late agent learns', async () => {
    await writeFiles(5);
    const first = await taken('one');
    await pass(61_000);
    await owner.takeJob('two', { runningJobIds: [], wantsJob: true });
    await writeFiles(2);
    await pass(30_000);
    const second = await taken('two');
    expect((await owner.completeJob('two', 'agent-key', second, swapOf(second))).outcome).toBe('applied');
    const late = await owner.completeJob('one', 'agent-key', first, swapOf(first));
    expect(late).toMatchObject({ outcome: 'stale', reason: expect.stringMatching(/lies in another file/) });
  });

  test('can be completed, even repeatedly, with a later owner', async () => {
    await writeFiles(5);
    const mine = await taken('one');
    const swap = swapOf(mine);
    const successor = await fixture.open();
    expect((await successor.completeJob('one', 'agent-key', mine, swap)).outcome).toBe('applied');
    expect((await successor.completeJob('one', 'agent-key', mine, swap)).outcome).toBe('applied');
    expect(await successor.read(fileCounts)).toEqual({ known: 6, dead: 5 });
    expect((await successor.takeJob('one', { runningJobIds: [mine.jobId], wantsJob: true })).lostJobIds).toEqual([
      mine.jobId,
    ]);
  });

  test('is found by a later owner from the state alone', async () => {
    await writeFiles(5);
    const { job } = await taken('one');
    owner = await fixture.open();
    await pass(1);
    expect((await taken('two')).job.sourceFileIds.map(idKey).sort()).toEqual(job.sourceFileIds.map(idKey).sort());
  });

  test('is handed out once the commits it depends on are durable', async () => {
    await writeFiles(5);
    fixture.journal.hold();
    const commit = owner.submit(fixture.commit(topicId, [0]));
    let isAnswered = false;
    const answer = owner.takeJob('one', { runningJobIds: [], wantsJob: true }).then(() => {
      isAnswered = true;
    });
    await fixture.clock.advance(0);
    expect(isAnswered).toBe(false);
    fixture.journal.release();
    await Promise.all([commit, answer]);
  });
});

describe('a compaction job', () => {
  /** Makes two partitions of a topic due for compaction. */
  async function makeDirty(): Promise<void> {
    const configs = [{ name: 'cleanup.policy', value: 'compact' }];
    topicId = randomIds.uuidBytes();
    await owner.submit({
      kind: 'create-topics',
      topics: [{ name: 'prices', topicId, partitions: 2, configs }],
      validateOnly: false,
    });
    await writeFiles(3);
    const merged = await taken();
    await owner.completeJob('one', 'agent-key', merged, swapOf(merged));
    await pass(10 * MINUTE_MS);
  }

  async function cleaning(agentId = 'one'): Promise<NonNullable<TakenJob['taken']>> {
    const { taken: found } = await owner.takeJob(agentId, { runningJobIds: [], wantsJob: true, canCompact: true });
    if (found === undefined) {
      throw new Error('there was no job');
    }
    return found;
  }

  /** One file of a job, for one of its targets. */
  function fileOf(of: NonNullable<TakenJob['taken']>, target: number) {
    const { targetTopic, targetPartition, targetBaseOffset, targetEndOffset, ...swap } = swapOf(of);
    const bytes = swap.targetBytes.slice(target, target + 1);
    return {
      ...swap,
      targetTopic: targetTopic.slice(target, target + 1),
      targetPartition: targetPartition.slice(target, target + 1),
      targetBaseOffset: targetBaseOffset.slice(target, target + 1),
      targetEndOffset: targetEndOffset.slice(target, target + 1),
      targetPosition: new Float64Array(1),
      targetBytes: Float64Array.of(61),
      compaction: { targetSourceBytes: bytes, targetMaxTimestampMs: null, targetDeleteHorizonMs: null },
    };
  }

  test('goes to agents that support compaction, with what to keep', async () => {
    await makeDirty();
    expect((await owner.takeJob('two', { runningJobIds: [], wantsJob: true })).taken).toBeUndefined();
    expect((await cleaning()).job).toMatchObject({
      level: 2,
      targetPartition: [0, 1],
      compaction: {
        topicDeleteRetentionMs: [86_400_000],
        topicMaxMessageBytes: [1_048_588],
        targetFirstDirtyOffset: [0, 0],
        nowMs: fixture.clock.nowMs(),
      },
    });
  });

  test('stays with its agent while more of its files keep arriving', async () => {
    await makeDirty();
    const mine = await cleaning();
    await pass(29 * MINUTE_MS);
    await owner.takeJob('one', { runningJobIds: [mine.jobId], wantsJob: false });
    expect(await owner.completeJob('one', 'agent-key', mine, fileOf(mine, 0), true)).toMatchObject({
      outcome: 'applied',
    });
    expect(owner.openJobs).toBe(1);
    await pass(50_000);
    expect((await owner.takeJob('one', { runningJobIds: [mine.jobId], wantsJob: false })).lostJobIds).toEqual([]);
    expect(await owner.completeJob('one', 'agent-key', mine, fileOf(mine, 1))).toMatchObject({ outcome: 'applied' });
    expect(owner.openJobs).toBe(0);
  });

  test('ends when one of its files is refused', async () => {
    await makeDirty();
    const mine = await cleaning();
    const beforeOffset = -1;
    await owner.submit({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset }] });
    expect(await owner.completeJob('one', 'agent-key', mine, fileOf(mine, 0), true)).toMatchObject({
      outcome: 'stale',
    });
    expect(owner.openJobs).toBe(0);
  });

  test('swaps in each file once, across completions and owners', async () => {
    await makeDirty();
    const mine = await cleaning();
    const file = fileOf(mine, 0);
    await owner.completeJob('one', 'agent-key', mine, file, true);
    const successor = await fixture.open();
    expect(await successor.completeJob('one', 'agent-key', mine, file, true)).toMatchObject({ outcome: 'applied' });
    expect(await successor.completeJob('one', 'agent-key', mine, fileOf(mine, 1))).toMatchObject({
      outcome: 'applied',
    });
  });

  test('passes over the RPC in full, as does its completion', async () => {
    await makeDirty();
    const context = {
      owner,
      keyId: 'agent-key',
      messageBrowserKeys: () => [new Uint8Array(0)] as [Uint8Array],
      scope: 'agent' as const,
      mayAdminister: true,
      peerSecret: () => undefined,
      peerSecrets: () => [],
      addressVerdict: async () => ({ outcome: 'allowed' }) as const,
      orphanAgeMs: null,
      chargeBatches: () => undefined,
      storeMaxUncompressedBatchBytes: async () => undefined,
      noteDeed: () => undefined,
      turn: () => undefined,
    };
    const wants = { agentId: 'one', wantsJob: true, canCompact: true };
    const { job } = create(TakeJobResponseSchema, await takeJob(context, create(TakeJobRequestSchema, wants)));
    expect(job).toMatchObject({
      compact: true,
      topicDeleteRetentionMs: [86_400_000n],
      topicMaxMessageBytes: [1_048_588],
      targetFirstDirtyOffset: [0n, 0n],
      nowMs: BigInt(fixture.clock.nowMs()),
    });
    const fileId = Buffer.from(newId(fixture.clock.nowMs()).replaceAll('-', ''), 'hex');
    if (job === undefined) {
      throw new Error('there was no job');
    }
    const { jobId, sourceFileIds, topicIds, targetTopic, targetPartition, plan } = job;
    const { targetBaseOffset, targetEndOffset } = job;
    const completion = {
      ...{ agentId: 'one', jobId, fileId, fileBytes: 200n, level: 2, sourceFileIds, topicIds, plan },
      ...{ targetTopic, targetPartition, targetBaseOffset, targetEndOffset },
      ...{ targetPosition: [0n, 61n], targetBytes: [61n, 61n], compact: true, targetMaxTimestampMs: [-1n, 5n] },
      targetDeleteHorizonMs: [0n, 9n],
    };
    const complete = (targetSourceBytes: bigint[]) =>
      completeJob(context, create(CompleteJobRequestSchema, { ...completion, targetSourceBytes }));
    expect(await refusalOf(complete([483n]))).toMatch(/target_source_bytes has 1 entries, but target_topic has 2/);
    expect(await complete([483n, 483n])).toEqual({ applied: true, reason: '' });
    const views = await owner.read((state) => partitionViews(state, topicId));
    expect(views.map(({ storedBytes }) => storedBytes)).toEqual([61, 61]);
  });
});

describe('no job is handed out', () => {
  test('to an agent that is not registered, or that only renews', async () => {
    await writeFiles(5);
    expect((await owner.takeJob('stranger', { runningJobIds: [], wantsJob: true })).taken).toBeUndefined();
    expect((await owner.takeJob('one', { runningJobIds: [], wantsJob: false })).taken).toBeUndefined();
  });

  test('for a while to an agent that lets its jobs expire', async () => {
    for (let wasted = 0; wasted < 3; wasted += 1) {
      await writeFiles(5);
      await taken('one');
      await pass(61_000);
    }
    await owner.takeJob('two', { runningJobIds: [], wantsJob: false });
    await writeFiles(5);
    expect((await owner.takeJob('one', { runningJobIds: [], wantsJob: true })).taken).toBeUndefined();
    expect((await owner.takeJob('two', { runningJobIds: [], wantsJob: true })).taken).toBeDefined();
    await pass(5 * MINUTE_MS);
    await writeFiles(5);
    expect((await owner.takeJob('one', { runningJobIds: [], wantsJob: true })).taken).toBeDefined();
  });
});

describe('over the RPC', () => {
  const context = () => ({
    owner,
    keyId: 'agent-key',
    messageBrowserKeys: () => [new Uint8Array(0)] as [Uint8Array],
    scope: 'agent' as const,
    mayAdminister: true,
    peerSecret: () => undefined,
    peerSecrets: () => [],
    addressVerdict: async () => ({ outcome: 'allowed' }) as const,
    orphanAgeMs: null,
    chargeBatches: () => undefined,
    storeMaxUncompressedBatchBytes: async () => undefined,
    noteDeed: () => undefined,
    turn: () => undefined,
  });
  const take = (request: MessageInitShape<typeof TakeJobRequestSchema>) =>
    takeJob(context(), create(TakeJobRequestSchema, request));
  const complete = (request: MessageInitShape<typeof CompleteJobRequestSchema>) =>
    completeJob(context(), create(CompleteJobRequestSchema, request));

  async function doneJob(): Promise<MessageInitShape<typeof CompleteJobRequestSchema>> {
    await writeFiles(3);
    const mine = await taken('one');
    const swap = swapOf(mine);
    return {
      agentId: 'one',
      jobId: mine.jobId,
      fileId: swap.fileId,
      fileBytes: BigInt(swap.fileBytes),
      level: swap.level,
      sourceFileIds: swap.sourceFileIds,
      topicIds: swap.topicIds,
      targetTopic: [...swap.targetTopic],
      targetPartition: [...swap.targetPartition],
      targetBaseOffset: [...swap.targetBaseOffset].map(BigInt),
      targetEndOffset: [...swap.targetEndOffset].map(BigInt),
      targetPosition: [...swap.targetPosition].map(BigInt),
      targetBytes: [...swap.targetBytes].map(BigInt),
      plan: mine.plan,
    };
  }

  test('a job locates its bytes and its completion is applied', async () => {
    await writeFiles(3);
    const { job } = await take({ agentId: 'one', wantsJob: true });
    expect(job).toMatchObject({
      level: 1,
      runSource: [0, 1, 2, 0, 1, 2],
      runPosition: [0n, 0n, 0n, 161n, 161n, 161n],
      runBytes: [161n, 161n, 161n, 161n, 161n, 161n],
      targetPartition: [0, 1],
      targetBaseOffset: [0n, 0n],
      targetEndOffset: [3n, 3n],
      targetRuns: [3, 3],
    });
    expect(await take({ agentId: 'one', wantsJob: true })).toMatchObject({ lostJobIds: [] });
  });

  test('a completion is applied, even if repeated', async () => {
    const request = await doneJob();
    expect(await complete(request)).toEqual({ applied: true, reason: '' });
    expect(await complete(request)).toEqual({ applied: true, reason: '' });
  });

  test('a completion for deleted files is refused for good', async () => {
    const request = await doneJob();
    await owner.submit({ kind: 'delete-topics', names: ['orders'], topicIds: [] });
    expect(await complete(request)).toMatchObject({ applied: false, reason: expect.stringMatching(/Nothing is left/) });
  });

  // It fits once the run in its way is truncated.
  test('a swap that does not fit yet may be tried again', async () => {
    const request = await doneJob();
    const of = {
      targetTopic: [0],
      targetPartition: [1],
      targetBaseOffset: [0n],
      targetEndOffset: [3n],
      targetPosition: [0n],
      targetBytes: [483n],
    };
    const drawn = () => Buffer.from(newId(fixture.clock.nowMs()).replaceAll('-', ''), 'hex');
    expect(await complete({ ...request, ...of, fileId: drawn(), hasMore: true })).toEqual({
      applied: true,
      reason: '',
    });
    // If the answer said that this is final, the agent would delete the file.
    expect(await refusalOf(complete(request))).toMatch(/a run lies in another file by now/);
    await owner.submit({ kind: 'delete-records', partitions: [{ topicId, partition: 1, beforeOffset: 3 }] });
    expect(await complete(request)).toEqual({ applied: true, reason: '' });
  });

  test.each<[string, MessageInitShape<typeof CompleteJobRequestSchema>, RegExp]>([
    ['an agent without id', { agentId: '' }, /agent_id must have/],
    ['a job id that is none', { jobId: new Uint8Array(3) }, /job_id must be 16 bytes/],
    ['a file id that is none', { fileId: new Uint8Array(3) }, /file_id must be 16 bytes/],
    ['a file id that is no UUIDv7', { fileId: new Uint8Array(16) }, /not a UUIDv7/],
    ['columns of different lengths', { targetBytes: [1n] }, /target_bytes has 1 entries, but target_topic has 2/],
    ['a level that no job makes', { level: 3 }, /not a merged file of level 3/],
    ['runs beyond the end of the file', { fileBytes: 5n }, /beyond the end/],
    ['a topic that is not listed', { targetTopic: [0, 7] }, /is not a target of the job/],
  ])('an invented completion with %s is refused with the reason', async (_, over, reason) => {
    const request = await doneJob();
    expect(await refusalOf(complete({ ...request, ...over }))).toMatch(reason);
    expect(await owner.read(fileCounts)).toEqual({ known: 3, dead: 0 });
  });

  test('refuses more running jobs than an agent can have', async () => {
    const runningJobIds = Array.from({ length: 65 }, () => new Uint8Array(16));
    expect(await refusalOf(take({ agentId: 'one', runningJobIds }))).toMatch(/more than 64 jobs/);
  });
});
