import {
  allCommittedOffsets,
  fetchOffsets as committedOffsets,
  ErrorCode,
  offsetFetchRefusal,
} from '@penstock/metadata-core';
import {
  CommittedOffsetSchema,
  type FetchOffsetsRequest,
  FetchOffsetsResponseSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { AgentCall, AgentCallContext } from './agent-call.ts';
import { requireAnswerBytes } from './answer-in-steps.ts';
import { type EncodedList, encodeInSteps, withList } from './long-list.ts';
import { committedOffsetMessage } from './messages/groups.ts';

const OFFSETS = { entry: CommittedOffsetSchema, fieldNumber: FetchOffsetsResponseSchema.field.offsets.number };

const PARTITIONS_PER_CHUNK = 1_000;

export const fetchOffsets: AgentCall<typeof MetadataService.method.fetchOffsets> = async (context, request) => {
  const { groupId, memberId = null, memberEpoch = -1, requireStable } = request;
  const errorCode = await context.owner.read((state) => offsetFetchRefusal(state, groupId, memberId, memberEpoch));
  if (errorCode !== ErrorCode.NONE) {
    return { errorCode, offsets: [] };
  }
  if (request.all) {
    return await allOffsets(context, request);
  }
  // A partition may be listed many times, and its metadata have 4 KiB.
  const chunks = chunksOf(request.partitions);
  const lists: EncodedList[] = [];
  for (const [at, partitions] of chunks.entries()) {
    if (at > 0) {
      await context.turn();
    }
    const found = await context.owner.read((state) => committedOffsets(state, groupId, partitions, requireStable));
    lists.push(await encodeInSteps(context, OFFSETS, found, (_state, offset) => [committedOffsetMessage(offset)]));
    requireAnswerBytes(lists.reduce((bytes, list) => bytes + list.bytes.length, 0));
  }
  const bytes = Buffer.concat(lists.map((list) => list.bytes));
  return withList(FetchOffsetsResponseSchema, { errorCode }, { fieldNumber: OFFSETS.fieldNumber, bytes });
};

/** Splits the items into chunks. Offsets in open transactions are collected once per chunk. */
function chunksOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / PARTITIONS_PER_CHUNK);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * PARTITIONS_PER_CHUNK, (at + 1) * PARTITIONS_PER_CHUNK),
  );
}

async function allOffsets(context: AgentCallContext, { groupId, requireStable }: FetchOffsetsRequest) {
  const offsets = await context.owner.read((state) => allCommittedOffsets(state, groupId, requireStable));
  const encoded = await encodeInSteps(context, OFFSETS, offsets, (_state, offset) => [committedOffsetMessage(offset)]);
  return withList(FetchOffsetsResponseSchema, { errorCode: ErrorCode.NONE }, encoded);
}
