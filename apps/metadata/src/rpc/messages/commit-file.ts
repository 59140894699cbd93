// CommitFile between the wire and the state machine: columns stay columns.
import { Code, ConnectError } from '@connectrpc/connect';
import { type CommitFile, type CommitFileAnswer, toSafeInteger } from '@penstock/metadata-core';
import type { CommitFileRequest } from '@penstock/metadata-protocol';
import { checkedId, checkedIds } from './ids.ts';

/** @throws ConnectError invalid_argument when columns of one group differ in length, or an id is none. */
export function commitFileCommand(request: CommitFileRequest): CommitFile {
  const runs = request.runTopic.length;
  requireLength('run_partition', request.runPartition, runs, 'run_topic');
  requireLength('run_position', request.runPosition, runs, 'run_topic');
  requireLength('run_batches', request.runBatches, runs, 'run_topic');
  const batches = request.batchBytes.length;
  requireLength('batch_records', request.batchRecords, batches, 'batch_bytes');
  requireLength('batch_max_timestamp_ms', request.batchMaxTimestampMs, batches, 'batch_bytes');
  requireLength('batch_uncompressed_bytes', request.batchUncompressedBytes, batches, 'batch_bytes');
  let batchesOfRuns = 0;
  for (const count of request.runBatches) batchesOfRuns += count;
  if (batchesOfRuns !== batches) {
    throw new ConnectError(
      `run_batches add up to ${batchesOfRuns}, but batch_bytes has ${batches} entries`,
      Code.InvalidArgument,
    );
  }
  for (const [run, topic] of request.runTopic.entries()) {
    if (topic >= request.topicIds.length) {
      throw new ConnectError(
        `run_topic[${run}] is ${topic}, but topic_ids has ${request.topicIds.length} entries`,
        Code.InvalidArgument,
      );
    }
  }
  return {
    kind: 'commit-file',
    fileId: checkedId(request.fileId, 'file_id'),
    fileBytes: toSafeInteger(request.fileBytes),
    topicIds: checkedIds(request.topicIds, 'topic_ids'),
    runTopic: Uint32Array.from(request.runTopic),
    runPartition: Uint32Array.from(request.runPartition),
    runPosition: safeIntegers(request.runPosition),
    runBatches: Uint32Array.from(request.runBatches),
    batchBytes: Uint32Array.from(request.batchBytes),
    batchRecords: Uint32Array.from(request.batchRecords),
    batchMaxTimestampMs: safeIntegers(request.batchMaxTimestampMs),
    batchUncompressedBytes: safeIntegers(request.batchUncompressedBytes),
    producers: producerColumns(request, batches),
  };
}

export function commitFileResponse(answer: CommitFileAnswer) {
  return {
    batchBaseOffset: bigints(answer.batchBaseOffset),
    batchErrorCode: [...answer.batchErrorCode],
    runLogStartOffset: bigints(answer.runLogStartOffset),
    errorCode: answer.errorCode,
    errorMessage: answer.errorMessage,
  };
}

function producerColumns(request: CommitFileRequest, batches: number): CommitFile['producers'] {
  const { batchProducerId, batchProducerEpoch, batchBaseSequence } = request;
  if (batchProducerId.length === 0 && batchProducerEpoch.length === 0 && batchBaseSequence.length === 0) return null;
  requireLength('batch_producer_id', batchProducerId, batches, 'batch_bytes');
  requireLength('batch_producer_epoch', batchProducerEpoch, batches, 'batch_bytes');
  requireLength('batch_base_sequence', batchBaseSequence, batches, 'batch_bytes');
  return {
    id: safeIntegers(batchProducerId),
    epoch: Int32Array.from(batchProducerEpoch),
    baseSequence: Int32Array.from(batchBaseSequence),
  };
}

function requireLength(field: string, column: { length: number }, expected: number, reference: string): void {
  if (column.length === expected) return;
  throw new ConnectError(
    `${field} has ${column.length} entries, but ${reference} has ${expected}`,
    Code.InvalidArgument,
  );
}

function safeIntegers(column: readonly bigint[]): Float64Array {
  const numbers = new Float64Array(column.length);
  for (let index = 0; index < column.length; index += 1) numbers[index] = toSafeInteger(column[index] ?? 0n);
  return numbers;
}

function bigints(column: Float64Array): bigint[] {
  const values = new Array<bigint>(column.length);
  for (let index = 0; index < column.length; index += 1) values[index] = BigInt(column[index] ?? 0);
  return values;
}
