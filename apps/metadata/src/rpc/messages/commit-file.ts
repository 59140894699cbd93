// CommitFile between the wire and the state machine: columns stay columns. Agents' bytes take the short way; messages that another
// protocol or the generated decoder has made take the long one, to the same checks.
import { create, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { type CommitFile, type CommitFileAnswer, toSafeInteger } from '@penstock/metadata-core';
import {
  type CommitFileColumns,
  type CommitFileRequest,
  CommitFileRequestSchema,
  CommitFileResponseSchema,
  decodeCommitFileColumns,
  encodeCommitFileResults,
} from '@penstock/metadata-protocol';
import { checkedId, checkedIds } from './ids.ts';
import { parseMessage } from './parse-message.ts';

/** @throws ConnectError invalid_argument when columns of one group differ in length, or an id is none. */
export function commitFileCommand(columns: CommitFileColumns): CommitFile {
  const { runTopic, runBatches, batchBytes, topicIds } = columns;
  const runs = runTopic.length;
  requireLength('run_partition', columns.runPartition, runs, 'run_topic');
  requireLength('run_position', columns.runPosition, runs, 'run_topic');
  requireLength('run_batches', runBatches, runs, 'run_topic');
  const batches = batchBytes.length;
  requireLength('batch_records', columns.batchRecords, batches, 'batch_bytes');
  requireLength('batch_max_timestamp_ms', columns.batchMaxTimestampMs, batches, 'batch_bytes');
  requireLength('batch_uncompressed_bytes', columns.batchUncompressedBytes, batches, 'batch_bytes');
  let batchesOfRuns = 0;
  for (let run = 0; run < runs; run += 1) {
    batchesOfRuns += runBatches[run] ?? 0;
  }
  if (batchesOfRuns !== batches) {
    throw new ConnectError(
      `run_batches add up to ${batchesOfRuns}, but batch_bytes has ${batches} entries`,
      Code.InvalidArgument,
    );
  }
  for (let run = 0; run < runs; run += 1) {
    const topic = runTopic[run] ?? 0;
    if (topic >= topicIds.length) {
      throw new ConnectError(
        `run_topic[${run}] is ${topic}, but topic_ids has ${topicIds.length} entries`,
        Code.InvalidArgument,
      );
    }
  }
  return {
    kind: 'commit-file',
    fileId: checkedId(columns.fileId, 'file_id'),
    fileBytes: columns.fileBytes,
    topicIds: checkedIds(topicIds, 'topic_ids'),
    runTopic,
    runPartition: columns.runPartition,
    runPosition: columns.runPosition,
    runBatches,
    batchBytes,
    batchRecords: columns.batchRecords,
    batchMaxTimestampMs: columns.batchMaxTimestampMs,
    batchUncompressedBytes: columns.batchUncompressedBytes,
    producers: producerColumns(columns, batches),
  };
}

/** The columns of a request as it comes over the wire. @throws ConnectError when the bytes are none. */
export function commitFileColumns(bytes: Uint8Array): CommitFileColumns {
  return decodeCommitFileColumns(bytes) ?? columnsOfMessage(parseMessage(CommitFileRequestSchema, bytes));
}

export function columnsOfMessage(request: CommitFileRequest): CommitFileColumns {
  return {
    fileId: request.fileId,
    fileBytes: toSafeInteger(request.fileBytes),
    topicIds: request.topicIds,
    runTopic: Uint32Array.from(request.runTopic),
    runPartition: Uint32Array.from(request.runPartition),
    runPosition: safeIntegers(request.runPosition),
    runBatches: Uint32Array.from(request.runBatches),
    batchBytes: Uint32Array.from(request.batchBytes),
    batchRecords: Uint32Array.from(request.batchRecords),
    batchMaxTimestampMs: safeIntegers(request.batchMaxTimestampMs),
    batchUncompressedBytes: safeIntegers(request.batchUncompressedBytes),
    batchProducerId: safeIntegers(request.batchProducerId),
    batchProducerEpoch: Int32Array.from(request.batchProducerEpoch),
    batchBaseSequence: Int32Array.from(request.batchBaseSequence),
  };
}

export function commitFileResponseBytes(answer: CommitFileAnswer): Uint8Array {
  if (answer.errorCode === 0 && answer.errorMessage === '') {
    return encodeCommitFileResults(answer);
  }
  return toBinary(CommitFileResponseSchema, create(CommitFileResponseSchema, commitFileResponse(answer)));
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

function producerColumns(columns: CommitFileColumns, batches: number): CommitFile['producers'] {
  const { batchProducerId, batchProducerEpoch, batchBaseSequence } = columns;
  if (batchProducerId.length === 0 && batchProducerEpoch.length === 0 && batchBaseSequence.length === 0) {
    return null;
  }
  requireLength('batch_producer_id', batchProducerId, batches, 'batch_bytes');
  requireLength('batch_producer_epoch', batchProducerEpoch, batches, 'batch_bytes');
  requireLength('batch_base_sequence', batchBaseSequence, batches, 'batch_bytes');
  return { id: batchProducerId, epoch: batchProducerEpoch, baseSequence: batchBaseSequence };
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
