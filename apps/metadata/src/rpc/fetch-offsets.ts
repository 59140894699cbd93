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
import { answerInSteps } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { committedOffsetMessage } from './messages/groups.ts';

const OFFSETS = { entry: CommittedOffsetSchema, fieldNumber: FetchOffsetsResponseSchema.field.offsets.number };

const PARTITIONS_PER_CHUNK = 1_000;
/** What an offset takes in the message besides its texts. */
const OFFSET_BYTES = 40;

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
  const offsets = await answerInSteps(
    context,
    chunksOf(request.partitions),
    (state, partitions) => committedOffsets(state, groupId, partitions, requireStable),
    (found) => found.reduce((bytes, { metadata }) => bytes + OFFSET_BYTES + metadata.length, 0),
  );
  return { errorCode, offsets: offsets.flat().map(committedOffsetMessage) };
};

/** What open transactions will commit is gathered once per chunk. */
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
