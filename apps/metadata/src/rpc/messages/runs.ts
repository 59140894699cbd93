// Runs and partition updates as messages.
import {
  type AbortedTransaction,
  type AppendedMarker,
  limits,
  type PartitionStateAnswer,
  type RunLocation,
} from '@penstock/metadata-core';
import type { PartitionNews, RunReference } from '../../owners/watch-stream.ts';

const NO_FILE = new Uint8Array(0);

export function runMessage(run: RunLocation) {
  return {
    fileId: run.fileId,
    position: BigInt(run.position),
    bytes: run.bytes,
    baseOffset: BigInt(run.baseOffset),
    records: run.records,
    maxTimestampMs: BigInt(run.maxTimestampMs),
    fileBytes: BigInt(run.fileBytes),
    ...(run.marker === null
      ? {}
      : {
          marker: {
            producerId: BigInt(run.marker.producerId),
            producerEpoch: run.marker.producerEpoch,
            committed: run.marker.isCommit,
            firstOffset: -1n,
          },
        }),
  };
}

export function abortedMessage({ producerId, firstOffset, lastOffset }: AbortedTransaction) {
  return { producerId: BigInt(producerId), firstOffset: BigInt(firstOffset), lastOffset: BigInt(lastOffset) };
}

/** The last stable offset is sent only while it is not the high watermark. */
export function stableOffsetField(lastStableOffset: number, highWatermark: number) {
  return lastStableOffset < 0 || lastStableOffset === highWatermark
    ? {}
    : { lastStableOffset: BigInt(lastStableOffset) };
}

export function partitionUpdateMessage(news: PartitionNews) {
  return {
    topicId: news.topicId,
    partition: news.partition,
    logStartOffset: BigInt(news.logStartOffset),
    highWatermark: BigInt(news.highWatermark),
    ...stableOffsetField(news.lastStableOffset, news.highWatermark),
    runs: news.runs.map((run) => ('commit' in run ? committedRunMessage(run) : markerMessage(run))),
  };
}

function markerMessage(marker: AppendedMarker) {
  return {
    fileId: NO_FILE,
    bytes: limits.MARKER_BYTES,
    baseOffset: BigInt(marker.baseOffset),
    records: 1,
    maxTimestampMs: BigInt(marker.timestampMs),
    marker: {
      producerId: BigInt(marker.producerId),
      producerEpoch: marker.producerEpoch,
      committed: marker.isCommit,
      firstOffset: BigInt(marker.firstOffset),
    },
  };
}

function committedRunMessage({ commit, run }: RunReference) {
  return {
    fileId: commit.fileId,
    position: BigInt(commit.position[run] ?? 0),
    bytes: commit.bytes[run] ?? 0,
    baseOffset: BigInt(commit.baseOffset[run] ?? 0),
    records: commit.records[run] ?? 0,
    maxTimestampMs: BigInt(commit.maxTimestampMs[run] ?? 0),
    fileBytes: BigInt(commit.fileBytes),
  };
}

export function partitionStateMessage(state: PartitionStateAnswer) {
  return {
    errorCode: state.errorCode,
    logStartOffset: BigInt(state.logStartOffset),
    highWatermark: BigInt(state.highWatermark),
    ...stableOffsetField(state.lastStableOffset, state.highWatermark),
  };
}
