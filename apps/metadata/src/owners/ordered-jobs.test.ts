// What an agent's key can do with CompleteJob: only what a job ordered.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Id } from '@penstock/metadata-core';
import {
  CompleteJobRequestSchema,
  LocateRequestSchema,
  TakeJobRequestSchema,
  TakeJobResponseSchema,
} from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { beforeEach, describe, expect, test } from 'vitest';
import { completeJob } from '../rpc/complete-job.ts';
import { locate } from '../rpc/locate.ts';
import { takeJob } from '../rpc/take-job.ts';
import { agentCallContext } from '../testing/agent-call-context.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import type { Owner } from './owner.ts';

const AGENT = 'one';

let fixture: ClusterFixture;
let owner: Owner;
let topicId: Id;

async function start(): Promise<void> {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  topicId = await fixture.createTopic(owner, 'orders');
  for (const agentId of [AGENT, 'two']) {
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
}

beforeEach(start);

function newFileId(): Uint8Array {
  return Buffer.from(newId(fixture.clock.nowMs()).replaceAll('-', ''), 'hex');
}

type Completion = MessageInitShape<typeof CompleteJobRequestSchema>;

const complete = (request: Completion) =>
  completeJob(agentCallContext(owner), create(CompleteJobRequestSchema, request));

async function refusalOf(request: Completion): Promise<{ code: Code; message: string }> {
  try {
    await complete(request);
  } catch (error) {
    if (error instanceof ConnectError) {
      return { code: error.code, message: error.rawMessage };
    }
    throw error;
  }
  throw new Error('it was not refused');
}

/** Lets time pass while the agents stay alive. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 3_000) {
    for (const agentId of [AGENT, 'two']) {
      owner.agents.heartbeat(agentId, undefined);
    }
    await fixture.clock.advance(Math.min(left, 3_000));
  }
}

/** Commits files of one batch each; returns their ids. */
async function writeFiles(count: number): Promise<Id[]> {
  const ids: Id[] = [];
  for (let file = 0; file < count; file += 1) {
    const commit = fixture.commit(topicId, [0]);
    await owner.submit(commit);
    ids.push(commit.fileId);
  }
  return ids;
}

/** A completion that no job ordered: it puts an object of any size in the place of the first file. */
function forged(source: Id, bytes: number, others: Completion = {}): Completion {
  return {
    ...{ agentId: AGENT, jobId: newFileId(), fileId: newFileId(), fileBytes: BigInt(bytes), level: 2 },
    ...{ sourceFileIds: [source], topicIds: [topicId], targetTopic: [0], targetPartition: [0] },
    ...{ targetBaseOffset: [0n], targetEndOffset: [1n], targetPosition: [0n], targetBytes: [BigInt(bytes)] },
    ...others,
  };
}

/** Where the first record lies. */
async function firstRun() {
  const cursors = [{ topicId, partition: 0, offset: 0n, maxBytes: 1 }];
  const { located } = await locate(agentCallContext(owner), create(LocateRequestSchema, { cursors }));
  const run = located?.[0]?.runs?.[0];
  return { fileId: Buffer.from(run?.fileId ?? []).toString('hex'), bytes: Number(run?.bytes ?? 0) };
}

describe('without a job, a key', () => {
  test('puts no unmetered object in the place of a stub', async () => {
    const [stub] = await writeFiles(1);
    const before = await firstRun();
    const swap = forged(stub ?? topicId, 5_100_000, { compact: true, targetSourceBytes: [161n] });
    expect(await refusalOf(swap)).toMatchObject({
      code: Code.FailedPrecondition,
      message: expect.stringMatching(/handed out/),
    });
    expect(await firstRun()).toEqual(before);
  });

  test('is named by its refused completions', async () => {
    const [file] = await writeFiles(1);
    expect(owner.jobRefusals.newest).toBeUndefined();
    await refusalOf(forged(file ?? topicId, 161));
    await refusalOf(forged(file ?? topicId, 161, { agentId: 'somebody else' }));
    expect(owner.jobRefusals.count).toBe(2);
    expect(owner.jobRefusals.newest).toEqual({
      atMs: owner.nowMs(),
      keyId: 'agent-key',
      agentId: '',
      reason: expect.stringContaining('has no plan'),
    });
  });

  test('puts no object that may not exist in the place of records', async () => {
    const [file] = await writeFiles(1);
    const before = await firstRun();
    expect((await refusalOf(forged(file ?? topicId, 161))).code).toBe(Code.FailedPrecondition);
    expect(await firstRun()).toEqual(before);
  });
});

describe('a job that was handed out', () => {
  const wants = { agentId: AGENT, wantsJob: true, canCompact: true };

  async function taken() {
    const { job } = create(
      TakeJobResponseSchema,
      await takeJob(agentCallContext(owner), create(TakeJobRequestSchema, wants)),
    );
    if (job === undefined) {
      throw new Error('there was no job');
    }
    return job;
  }

  type Job = Awaited<ReturnType<typeof taken>>;

  /** As an agent completes a merge of two files of 161 bytes each. */
  function completion(job: Job, others: Completion = {}): Completion {
    const { jobId, level, sourceFileIds, topicIds, targetTopic, targetPartition, plan } = job;
    const { targetBaseOffset, targetEndOffset } = job;
    return {
      ...{ agentId: AGENT, jobId, fileId: newFileId(), fileBytes: 400n, level, sourceFileIds, topicIds, targetTopic },
      ...{ targetPartition, targetBaseOffset, targetEndOffset, targetPosition: [0n], targetBytes: [322n], plan },
      ...others,
    };
  }

  async function mergeJob(): Promise<Job> {
    await writeFiles(2);
    await pass(MINUTE_MS);
    return await taken();
  }

  test('is completed at any owner, with the plan that came with it', async () => {
    const job = await mergeJob();
    owner = await fixture.open();
    expect(await complete(completion(job))).toEqual({ applied: true, reason: '' });
  });

  test('is not completed without its plan', async () => {
    const noPlan = completion(await mergeJob(), { plan: new Uint8Array(0) });
    expect(await refusalOf(noPlan)).toMatchObject({
      code: Code.FailedPrecondition,
      message: expect.stringMatching(/has no plan/),
    });
  });

  test('answers alike when completed again, even without a plan', async () => {
    const swap = completion(await mergeJob());
    await complete(swap);
    owner = await fixture.open();
    expect(await complete({ ...swap, plan: new Uint8Array(0) })).toEqual({ applied: true, reason: '' });
  });

  test.each<[string, Completion, RegExp]>([
    ['another kind of file', { compact: true, targetSourceBytes: [322n] }, /the job makes a merged file of level 1/],
    ['another level', { level: 2 }, /the job makes a merged file of level 1, not a merged file of level 2/],
    ['other sources', { sourceFileIds: [new Uint8Array(16)] }, /not a source of the job/],
    ['another partition', { targetPartition: [1] }, /is not a target of the job/],
    ['another topic', { topicIds: [new Uint8Array(16)] }, /is not a target of the job/],
    ['fewer offsets', { targetEndOffset: [1n] }, /ends at offset 1, but the job said 2/],
    ['more bytes', { targetBytes: [323n] }, /has 323 bytes of sources, but the job said 322/],
  ])('allows no swap of %s, by this owner or the next', async (_, others, message) => {
    const job = await mergeJob();
    expect(await refusalOf(completion(job, others))).toMatchObject({
      code: Code.FailedPrecondition,
      message: expect.stringMatching(message),
    });
    owner = await fixture.open();
    expect(await refusalOf(completion(job, others))).toMatchObject({
      code: Code.FailedPrecondition,
      message: expect.stringMatching(message),
    });
    expect(await complete(completion(job))).toMatchObject({ applied: true });
  });

  test('has a plan that no other agent, job, cluster or day can use', async () => {
    const job = await mergeJob();
    owner = await fixture.open();
    const flipped = Uint8Array.from(job.plan, (byte, at) => (at === 40 ? byte ^ 1 : byte));
    expect(await refusalOf(completion(job, { plan: flipped }))).toMatchObject({
      message: expect.stringMatching(/not handed out by this/),
    });
    expect(await refusalOf(completion(job, { agentId: 'two' }))).toMatchObject({
      message: expect.stringMatching(/to another agent/),
    });
    expect(await refusalOf(completion(job, { jobId: newFileId() }))).toMatchObject({
      message: expect.stringMatching(/for another job/),
    });
    fixture.clock.suspend(25 * 60 * MINUTE_MS);
    expect(await refusalOf(completion(job))).toMatchObject({ message: expect.stringMatching(/more than a day ago/) });
    await start();
    const other = await mergeJob();
    owner = await fixture.open();
    const foreign = completion(other, { plan: job.plan });
    expect(await refusalOf(foreign)).toMatchObject({ message: expect.stringMatching(/not handed out by this/) });
  });
});
