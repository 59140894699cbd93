import { create, toBinary } from '@bufbuild/protobuf';
import { type ClusterState, type Located, locate as locateRuns, toSafeInteger } from '@penstock/metadata-core';
import { type Cursor, LocateResponseSchema, type MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { withList } from './long-list.ts';
import { checkedId } from './messages/ids.ts';
import { abortedMessage, runMessage, stableOffsetField } from './messages/runs.ts';

/** Number of cursors looked up before others have their turn, which takes a few milliseconds. */
const CURSORS_PER_STEP = 500;
const RUNS_PER_STEP = 2_000;
/**
 * Maximum number of runs in a response, about 2 MiB. Further cursors get only their first run, and agents ask again
 * from its end.
 */
const MAX_RUNS = 20_000;

const LOCATED = LocateResponseSchema.field.located.number;

/** Returns which files hold the records from given offsets on. */
export const locate: AgentCall<typeof MetadataService.method.locate> = async ({ owner, turn }, { cursors }) => {
  let roomForRuns = MAX_RUNS;
  let answered = 0;
  const encoded: Uint8Array[] = [];
  do {
    if (answered > 0) {
      await turn();
    }
    const found = await owner.read((state) => step(state, cursors, answered, roomForRuns));
    roomForRuns -= found.reduce((runs, answer) => runs + answer.runs.length, 0);
    answered += found.length;
    const located = { located: found.map(locatedMessage) };
    if (encoded.length === 0 && answered >= cursors.length) {
      return located;
    }
    encoded.push(toBinary(LocateResponseSchema, create(LocateResponseSchema, located)));
  } while (answered < cursors.length);
  return withList(LocateResponseSchema, {}, { fieldNumber: LOCATED, bytes: Buffer.concat(encoded) });
};

/** The next answers, from that for the cursor at `from` on. */
function step(state: ClusterState, cursors: readonly Cursor[], from: number, roomForRuns: number): Located[] {
  const found: Located[] = [];
  let runs = 0;
  for (const [index, { topicId, partition, offset, maxBytes }] of cursors
    .slice(from, from + CURSORS_PER_STEP)
    .entries()) {
    const cursor = {
      topicId: checkedId(topicId, `cursors[${from + index}].topic_id`),
      partition,
      offset: toSafeInteger(offset),
      maxBytes: runs < roomForRuns ? maxBytes : 0,
    };
    for (const answer of locateRuns(state, [cursor])) {
      found.push(answer);
      runs += answer.runs.length;
    }
    if (runs >= RUNS_PER_STEP) {
      break;
    }
  }
  return found;
}

function locatedMessage({ errorCode, logStartOffset, highWatermark, lastStableOffset, runs, aborted }: Located) {
  return {
    errorCode,
    logStartOffset: BigInt(logStartOffset),
    highWatermark: BigInt(highWatermark),
    ...stableOffsetField(lastStableOffset, highWatermark),
    runs: runs.map(runMessage),
    aborted: aborted.map(abortedMessage),
  };
}
