// What an agent's key can do to a bill, with the calls of the RPC: for each attack, what was billed, stored and refused. Billed is what metering
// folds from the journal. e2e/clients/bills-under-attack.test.ts runs the attacks on a whole system and prints the table.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { decodeEntryHead, ErrorCode, type Id, partitionViews } from '@penstock/metadata-core';
import { CommitFileRequestSchema, CompleteJobRequestSchema } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { beforeEach, expect, test } from 'vitest';
import type { Owner } from './owners/owner.ts';
import { commitFile } from './rpc/commit-file.ts';
import { completeJob } from './rpc/complete-job.ts';
import { agentCallContext } from './testing/agent-call-context.ts';
import { ClusterFixture } from './testing/cluster-fixture.ts';
import { settle } from './testing/manual-clock.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

interface Outcome {
  billedBytes: number;
  storedBytes: number;
  refused: string[];
}

let fixture: ClusterFixture;
let owner: Owner;
let topicId: Id;
let refused: string[];

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  owner.applySettings({ maxUncompressedBatchBytes: 64 * MIB });
  topicId = await fixture.createTopic(owner, 'orders');
  refused = [];
});

const newFileId = (): Uint8Array => Buffer.from(newId(fixture.clock.nowMs()).replaceAll('-', ''), 'hex');

/** A file of batches, each with what is stored of it and what the agent claims that it has uncompressed. */
function fileOf(batches: readonly [storedBytes: number, claimedBytes: number][]) {
  return create(CommitFileRequestSchema, {
    fileId: newFileId(),
    fileBytes: BigInt(batches.reduce((sum, [bytes]) => sum + bytes, 0)),
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: [0n],
    runBatches: [batches.length],
    batchBytes: batches.map(([bytes]) => bytes),
    batchRecords: batches.map(() => 1),
    batchMaxTimestampMs: batches.map(() => BigInt(fixture.clock.nowMs())),
    batchUncompressedBytes: batches.map(([, bytes]) => BigInt(bytes)),
  });
}

async function commit(file: ReturnType<typeof fileOf>): Promise<void> {
  try {
    const { errorCode, errorMessage, batchErrorCode } = await commitFile(agentCallContext(owner), file);
    const codes = (batchErrorCode ?? []).filter((code) => code !== ErrorCode.NONE);
    refused.push(
      ...(errorCode === ErrorCode.NONE ? [] : [errorMessage ?? '']),
      ...codes.map((code) => `error ${code}`),
    );
  } catch (error) {
    refused.push(ConnectError.from(error).rawMessage);
  }
}

/** The final state of metering and the index. */
async function outcome(): Promise<Outcome> {
  const entries = await fixture.journal.entries(fixture.cluster.clusterId);
  const billedBytes = entries.reduce((sum, { bytes }) => sum + decodeEntryHead(bytes).meter.uncompressedBytes, 0);
  const views = await owner.read((state) => partitionViews(state, topicId));
  const storedBytes = views.reduce((sum, view) => sum + view.storedBytes, 0);
  return { billedBytes, storedBytes, refused };
}

test('honest traffic is billed to the byte', async () => {
  await commit(
    fileOf([
      [10_000, 40_000],
      [500, 400],
    ]),
  );
  expect(await outcome()).toEqual({ billedBytes: 40_400, storedBytes: 10_500, refused: [] });
});

test('sizes that are too small are refused', async () => {
  await commit(fileOf([[10_000, 61]]));
  expect(await outcome()).toEqual({
    billedBytes: 0,
    storedBytes: 0,
    refused: ['batch_uncompressed_bytes[0] is 61, but the batch has 10000 bytes as stored'],
  });
});

test('sizes that are too large are refused, by batch and by file', async () => {
  await commit(fileOf([[61, 8 * GIB]]));
  await commit(fileOf(Array.from({ length: 36 }, () => [4_000, 64 * MIB])));
  expect(await outcome()).toEqual({
    billedBytes: 0,
    storedBytes: 0,
    refused: [
      expect.stringContaining('but the batch has 61 bytes as stored'),
      expect.stringContaining('but a file of 144000 bytes may hold at most'),
    ],
  });
});

test('an object without a job does not replace a stub', async () => {
  const stub = fileOf([[161, 161]]);
  await commit(stub);
  const swap: MessageInitShape<typeof CompleteJobRequestSchema> = {
    ...{ agentId: 'one', jobId: newFileId(), fileId: newFileId(), fileBytes: 5_100_000n, level: 2, compact: true },
    ...{ sourceFileIds: [stub.fileId], topicIds: [topicId], targetTopic: [0], targetPartition: [0] },
    ...{ targetBaseOffset: [0n], targetEndOffset: [1n], targetPosition: [0n], targetBytes: [5_100_000n] },
    targetSourceBytes: [161n],
  };
  await completeJob(agentCallContext(owner), create(CompleteJobRequestSchema, swap)).catch((error: unknown) =>
    refused.push(ConnectError.from(error).rawMessage),
  );
  expect(await outcome()).toEqual({
    billedBytes: 161,
    storedBytes: 161,
    refused: [expect.stringContaining('handed out')],
  });
});

test('a file committed again is billed once, across owners', async () => {
  const file = fileOf([[1_000, 2_000]]);
  await commit(file);
  await commit(file);
  owner = await fixture.open();
  owner.applySettings({ maxUncompressedBatchBytes: 64 * MIB });
  await commit(file);
  expect(await outcome()).toEqual({ billedBytes: 2_000, storedBytes: 1_000, refused: [] });
});

test('refuses only the batch that decompresses beyond its limit', async () => {
  await commit(
    fileOf([
      [33_000, GIB],
      [33_000, 64 * MIB],
    ]),
  );
  expect(await outcome()).toEqual({
    billedBytes: 64 * MIB,
    storedBytes: 33_000,
    refused: [`error ${ErrorCode.MESSAGE_TOO_LARGE}`],
  });
});

test('beyond the cap, only files in flight are accepted', async () => {
  owner.applySettings({ writesRefused: true, writesRefusedReason: 'The spending cap is reached.' });
  await settle();
  await commit(fileOf([[1_000, 1_000]]));
  await fixture.clock.advance(30_001);
  await commit(fileOf([[900_000_000, 900_000_000]]));
  expect(await outcome()).toEqual({
    billedBytes: 1_000,
    storedBytes: 1_000,
    refused: ['The spending cap is reached.'],
  });
});

test('a Dev cluster takes its burst, and then its rate', async () => {
  owner.applySettings({ mode: 'dev' });
  await settle();
  const burstOf100s = (): Promise<void> => commit(fileOf(Array.from({ length: 20 }, () => [55 * MIB, 55 * MIB])));
  for (let file = 0; file < 4; file += 1) {
    await burstOf100s();
  }
  expect(await outcome()).toEqual({
    billedBytes: 3 * 1_100 * MIB,
    storedBytes: 3 * 1_100 * MIB,
    refused: [expect.stringContaining('A Dev cluster takes 10 MiB/s')],
  });
});
