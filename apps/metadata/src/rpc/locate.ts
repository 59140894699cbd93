import { locate as locateRuns, toSafeInteger } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedId } from './messages/ids.ts';
import { abortedMessage, runMessage, stableOffsetField } from './messages/runs.ts';

/** Returns which files hold the records from given offsets on. */
export const locate: AgentCall<typeof MetadataService.method.locate> = async ({ owner }, request) => {
  const cursors = request.cursors.map(({ topicId, partition, offset, maxBytes }, index) => ({
    topicId: checkedId(topicId, `cursors[${index}].topic_id`),
    partition,
    offset: toSafeInteger(offset),
    maxBytes,
  }));
  const located = await owner.read((state) => locateRuns(state, cursors));
  return {
    located: located.map(({ errorCode, logStartOffset, highWatermark, lastStableOffset, runs, aborted }) => ({
      errorCode,
      logStartOffset: BigInt(logStartOffset),
      highWatermark: BigInt(highWatermark),
      ...stableOffsetField(lastStableOffset, highWatermark),
      runs: runs.map(runMessage),
      aborted: aborted.map(abortedMessage),
    })),
  };
};
