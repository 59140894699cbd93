import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { limits, MERGE_POLICY } from '@penstock/metadata-core';
import { CompleteJobRequestSchema } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { requestLimit } from '../budgets/request-limits.ts';
import { JobPlans } from './job-plans.ts';

/** Ids that share nothing, and numbers of the most bytes. */
const id = (number: number): Uint8Array => {
  const bytes = new Uint8Array(16).fill(0xff);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};
const OFFSET = Number.MAX_SAFE_INTEGER;

test('the largest job’s completion fits its limits with its plan', () => {
  const targets = Math.max(MERGE_POLICY.maxSourceRuns, MERGE_POLICY.maxTargetRuns);
  const each = <Value>(value: Value): Value[] => Array.from({ length: targets }, () => value);
  const sourceFileIds = Array.from({ length: limits.MAX_COMPACTED_SOURCE_FILES }, (_, at) => id(at));
  const topicIds = Array.from({ length: targets }, (_, at) => id(at));
  const [targetTopic, targetPartition] = [each(targets - 1), each(limits.MAX_PARTITIONS_PER_CLUSTER)];
  const [clusterId, agentId] = [randomUUID(), 'a'.repeat(limits.MAX_AGENT_FIELD_CHARS)];
  const plan = new JobPlans([{ id: 1, secret: 'a root secret of tests, of more than 32 characters' }], clusterId).sign({
    ...{ clusterId, agentId, jobId: id(1), expiresAtMs: OFFSET },
    order: {
      ...{ level: 2, isCompaction: true, sourceFileIds, topicIds, targetTopic, targetPartition },
      ...{
        targetBaseOffset: each(OFFSET),
        targetEndOffset: each(OFFSET),
        targetSourceBytes: each(limits.MAX_FILE_BYTES),
      },
    },
  });
  const [offsets, bytes] = [each(BigInt(OFFSET)), each(BigInt(limits.MAX_FILE_BYTES))];
  const request = create(CompleteJobRequestSchema, {
    ...{
      agentId,
      jobId: id(1),
      fileId: id(2),
      fileBytes: BigInt(OFFSET),
      level: 2,
      compact: true,
      plan,
      sourceFileIds,
    },
    ...{ topicIds, targetTopic, targetPartition, targetBaseOffset: offsets, targetEndOffset: offsets },
    ...{ targetPosition: bytes, targetBytes: bytes, targetSourceBytes: bytes },
    ...{ targetMaxTimestampMs: offsets, targetDeleteHorizonMs: offsets },
  });
  const { maxBytes, maxValues } = requestLimit('CompleteJob');
  expect(toBinary(CompleteJobRequestSchema, request).length).toBeLessThan(maxBytes);
  expect(9 * targets + sourceFileIds.length + topicIds.length + 20).toBeLessThan(maxValues);
});
