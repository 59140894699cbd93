// CommitFile on a cluster that refuses writes or limits their rate, called by an agent that ignores its instructions.
import { create } from '@bufbuild/protobuf';
import { ErrorCode } from '@penstock/metadata-core';
import { type CommitFileRequest, CommitFileRequestSchema } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import type { AgentCallContext } from './agent-call.ts';
import { commitFile } from './commit-file.ts';

const MIB = 1024 ** 2;
const MAX_BATCH_BYTES = 32 * MIB;
const REASON = 'The spending cap of $10.00 is reached.';

let fixture: ClusterFixture;
let owner: Owner;
let topicId: Uint8Array;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  topicId = await fixture.createTopic(owner, 'orders');
});

/** A file of one run. */
function fileOf(bytes: number): CommitFileRequest {
  const batches = Math.ceil(bytes / MAX_BATCH_BYTES);
  const batchBytes = Array.from({ length: batches }, () => Math.floor(bytes / batches));
  batchBytes[0] = bytes - Math.floor(bytes / batches) * (batches - 1);
  return create(CommitFileRequestSchema, {
    fileId: Buffer.from(newId(fixture.clock.nowMs()).replaceAll('-', ''), 'hex'),
    fileBytes: BigInt(bytes),
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: [0n],
    runBatches: [batches],
    batchBytes,
    batchRecords: batchBytes.map(() => 1),
    batchMaxTimestampMs: batchBytes.map(() => 0n),
    batchUncompressedBytes: batchBytes.map(BigInt),
  });
}

async function commit(request: CommitFileRequest) {
  const { errorCode, errorMessage } = await commitFile(
    { owner, chargeBatches: () => undefined, turn: () => undefined } as unknown as AgentCallContext,
    request,
  );
  return { errorCode, errorMessage };
}

async function refuseWrites(writesRefusedReason: string | null): Promise<void> {
  owner.applySettings({
    writesRefused: writesRefusedReason !== null,
    writesRefusedReason: writesRefusedReason ?? '',
  });
  await settle();
}

async function writtenBytes(): Promise<number> {
  return Number(await owner.read(({ totals }) => totals.uncompressedBytes));
}

const ACCEPTED = { errorCode: ErrorCode.NONE, errorMessage: '' };

describe('while writes are refused', () => {
  test('files are refused after a grace of 30 s, with the reason', async () => {
    await refuseWrites(REASON);
    await fixture.clock.advance(29_000);
    expect(await commit(fileOf(1_000))).toEqual(ACCEPTED);
    await fixture.clock.advance(2_000);
    expect(await commit(fileOf(900_000_000))).toEqual({
      errorCode: ErrorCode.POLICY_VIOLATION,
      errorMessage: REASON,
    });
    expect(await writtenBytes()).toBe(1_000);
  });

  test('the grace is over even if no file was sent during it', async () => {
    await refuseWrites(REASON);
    await fixture.clock.advance(31_000);
    expect(await commit(fileOf(1_000))).toMatchObject({ errorCode: ErrorCode.POLICY_VIOLATION });
  });

  test('another reason does not start the grace again', async () => {
    await refuseWrites(REASON);
    await fixture.clock.advance(20_000);
    await refuseWrites('The spending cap of $20.00 is reached.');
    await fixture.clock.advance(11_000);
    expect(await commit(fileOf(1_000))).toMatchObject({ errorMessage: 'The spending cap of $20.00 is reached.' });
  });

  test('a file that was committed keeps its answer', async () => {
    const file = fileOf(1_000);
    expect(await commit(file)).toEqual(ACCEPTED);
    await refuseWrites(REASON);
    await fixture.clock.advance(31_000);
    expect(await commit(file)).toEqual(ACCEPTED);
    expect(await writtenBytes()).toBe(1_000);
  });

  test('files are accepted as soon as writes are', async () => {
    await refuseWrites(REASON);
    await fixture.clock.advance(31_000);
    await refuseWrites(null);
    expect(await commit(fileOf(1_000))).toEqual(ACCEPTED);
  });

  test('a new owner grants the grace just once more', async () => {
    await refuseWrites(REASON);
    await fixture.clock.advance(31_000);
    owner = await fixture.open();
    expect(await commit(fileOf(1_000))).toEqual(ACCEPTED);
    await fixture.clock.advance(31_000);
    expect(await commit(fileOf(1_000))).toMatchObject({ errorCode: ErrorCode.POLICY_VIOLATION });
  });

  test('a refusal waits until the state behind it is durable', async () => {
    await refuseWrites(REASON);
    await fixture.clock.advance(31_000);
    fixture.journal.hold();
    const creation = fixture.createTopic(owner, 'more');
    let isAnswered = false;
    const refused = commit(fileOf(1_000)).finally(() => {
      isAnswered = true;
    });
    await settle();
    expect(isAnswered).toBe(false);
    fixture.journal.release();
    await creation;
    expect(await refused).toMatchObject({ errorCode: ErrorCode.POLICY_VIOLATION });
  });
});

describe('on a Dev cluster', () => {
  /** Commits a file every second. Returns the bytes that were accepted. */
  async function write(bytesPerSecond: number, seconds: number): Promise<number> {
    const before = await writtenBytes();
    for (let second = 0; second < seconds; second += 1) {
      await commit(fileOf(bytesPerSecond));
      await fixture.clock.advance(1_000);
    }
    return (await writtenBytes()) - before;
  }

  beforeEach(async () => {
    owner.applySettings({ mode: 'dev' });
    await settle();
  });

  test('an agent that ignores the limit gets a tenth more', async () => {
    await write(500 * MIB, 20);
    expect((await write(500 * MIB, 1_000)) / 1_000 / MIB).toBeLessThan(11.5);
    expect(await commit(fileOf(MIB))).toMatchObject({
      errorCode: ErrorCode.NOT_ENOUGH_REPLICAS,
      errorMessage: expect.stringContaining('A Dev cluster takes 10 MiB/s'),
    });
  });

  // Bursts included.
  test('never refuses an agent that keeps to the limit', async () => {
    expect(await write(10 * MIB, 600)).toBe(600 * 10 * MIB);
    // What 1,000 clients sent before they were held for it.
    expect(await commit(fileOf(1_000 * MIB))).toEqual(ACCEPTED);
    await fixture.clock.advance(100_000);
    expect(await write(10 * MIB, 600)).toBe(600 * 10 * MIB);
  });

  test('a Standard cluster has no limit', async () => {
    await write(500 * MIB, 20);
    owner.applySettings({ mode: 'standard' });
    await settle();
    expect(await write(500 * MIB, 20)).toBe(20 * 500 * MIB);
  });
});
