// Kafka's 64-bit fields have values beyond 2^53 - 1, which the state cannot hold exactly: none of them is taken for another number.
import { create } from '@bufbuild/protobuf';
import { ErrorCode, type Id } from '@penstock/metadata-core';
import {
  CommitOffsetsRequestSchema,
  DeleteRecordsRequestSchema,
  FetchOffsetsRequestSchema,
  ListOffsetsRequestSchema,
  ListOffsetsResponseSchema,
  LocateRequestSchema,
} from '@penstock/metadata-protocol';
import { beforeEach, expect, test } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { agentCallContext } from '../testing/agent-call-context.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { commitOffsets } from './commit-offsets.ts';
import { deleteRecords } from './delete-records.ts';
import { fetchOffsets } from './fetch-offsets.ts';
import { listOffsets } from './list-offsets.ts';
import { locate } from './locate.ts';

const LARGEST = 2n ** 53n - 1n;
const TOO_WIDE = [2n ** 53n, 2n ** 63n - 1n, -(2n ** 53n), -(2n ** 63n)];

let owner: Owner;
let topicId: Id;

beforeEach(async () => {
  const fixture = new ClusterFixture();
  owner = await fixture.open();
  topicId = await fixture.createTopic(owner, 'orders', 6);
});

// It is not committed as another one.
test('refuses only the offset that cannot be stored', async () => {
  const offsetAt = (partition: number, offset: bigint) => {
    return { topic: 'orders', partition, offset, leaderEpoch: -1, metadata: '' };
  };
  const offsets = [LARGEST, ...TOO_WIDE, -2n].map((offset, partition) => offsetAt(partition, offset));
  const request = create(CommitOffsetsRequestSchema, { groupId: 'g', generationId: -1, memberId: '', offsets });
  const answer = await commitOffsets(agentCallContext(owner), request);
  const refused = ErrorCode.INVALID_COMMIT_OFFSET_SIZE;
  const { NONE } = ErrorCode;
  expect(answer).toMatchObject({
    errorCode: NONE,
    offsetErrorCodes: [NONE, refused, refused, refused, refused, NONE],
  });
  const fetched = await fetchOffsets(
    agentCallContext(owner),
    create(FetchOffsetsRequestSchema, { groupId: 'g', all: true }),
  );
  expect(fetched.offsets?.map(({ partition, offset }) => [partition, offset])).toEqual([
    [0, LARGEST],
    [5, -2n],
  ]);
});

test('a commit of nothing but such offsets is refused for each', async () => {
  const offsets = [{ topic: 'orders', partition: 0, offset: 2n ** 63n - 1n, leaderEpoch: -1, metadata: '' }];
  const request = create(CommitOffsetsRequestSchema, { groupId: 'g', generationId: -1, memberId: '', offsets });
  expect(await commitOffsets(agentCallContext(owner), request)).toMatchObject({
    errorCode: ErrorCode.NONE,
    offsetErrorCodes: [ErrorCode.INVALID_COMMIT_OFFSET_SIZE],
  });
});

test.each(TOO_WIDE)('no record is deleted, read or found at %d', async (value) => {
  const context = agentCallContext(owner);
  const partitions = [{ topicId, partition: 0, beforeOffset: value }];
  const deleted = await deleteRecords(context, create(DeleteRecordsRequestSchema, { partitions }));
  expect(deleted.states).toMatchObject([{ errorCode: ErrorCode.OFFSET_OUT_OF_RANGE }]);
  const cursors = [{ topicId, partition: 0, offset: value, maxBytes: 1 }];
  const { located } = await locate(context, create(LocateRequestSchema, { cursors }));
  expect(located).toMatchObject([{ errorCode: ErrorCode.OFFSET_OUT_OF_RANGE }]);
  const queries = [{ topicId, partition: 0, timestampMs: value, fromOffset: 0n, readCommitted: false }];
  const listed = create(
    ListOffsetsResponseSchema,
    await listOffsets(context, create(ListOffsetsRequestSchema, { queries })),
  );
  expect(listed.answers).toMatchObject([{ errorCode: ErrorCode.NONE, offset: -1n }]);
});
