// Runs and partition updates as messages.
import type { PartitionStateAnswer, RunLocation } from '@penstock/metadata-core';
import type { PartitionNews, RunReference } from '../../owners/watch-stream.ts';

export function runMessage(run: RunLocation) {
  return {
    fileId: run.fileId,
    position: BigInt(run.position),
    bytes: run.bytes,
    baseOffset: BigInt(run.baseOffset),
    records: run.records,
    maxTimestampMs: BigInt(run.maxTimestampMs),
    fileBytes: BigInt(run.fileBytes),
  };
}

export function partitionUpdateMessage(news: PartitionNews) {
  return {
    topicId: news.topicId,
    partition: news.partition,
    logStartOffset: BigInt(news.logStartOffset),
    highWatermark: BigInt(news.highWatermark),
    runs: news.runs.map(committedRunMessage),
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
  };
}
