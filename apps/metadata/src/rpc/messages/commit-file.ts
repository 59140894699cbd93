// Converts CommitFile between the wire and the state machine, keeping columns as columns. Agents' bytes take a direct path; messages from
// another protocol or the generated decoder take a longer one. Both get the same checks.
import { create, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { type CommitFile, type CommitFileAnswer, columnProblem, toSafeInteger } from '@penstock/metadata-core';
import {
  type CommitFileColumns,
  type CommitFileRequest,
  CommitFileRequestSchema,
  CommitFileResponseSchema,
  decodeCommitFileColumns,
  encodeCommitFileResults,
} from '@penstock/metadata-protocol';
import { checkedId, checkedIds } from './ids.ts';
import { parseMessage, requireValues } from './parse-message.ts';

/** @throws ConnectError invalid_argument when the columns contradict each other, or an id is malformed. */
export function commitFileCommand(columns: CommitFileColumns): CommitFile {
  const { batchProducerId, batchProducerEpoch, batchBaseSequence } = columns;
  const hasProducers = batchProducerId.length + batchProducerEpoch.length + batchBaseSequence.length > 0;
  const command: CommitFile = {
    kind: 'commit-file',
    fileId: checkedId(columns.fileId, 'file_id'),
    fileBytes: columns.fileBytes,
    topicIds: checkedIds(columns.topicIds, 'topic_ids'),
    runTopic: columns.runTopic,
    runPartition: columns.runPartition,
    runPosition: columns.runPosition,
    runBatches: columns.runBatches,
    batchBytes: columns.batchBytes,
    batchRecords: columns.batchRecords,
    batchMaxTimestampMs: columns.batchMaxTimestampMs,
    batchUncompressedBytes: columns.batchUncompressedBytes,
    producers: hasProducers
      ? { id: batchProducerId, epoch: batchProducerEpoch, baseSequence: batchBaseSequence }
      : null,
    ...(columns.batchTransaction.length === 0
      ? {}
      : { transactions: { batch: columns.batchTransaction, producers: columns.transactions } }),
  };
  const problem = columnProblem(command);
  if (problem !== null) {
    throw new ConnectError(problem, Code.InvalidArgument);
  }
  return command;
}

/** Maximum number of values in a commit not formatted as agents do, which the generated code decodes in one step. */
const MAX_VALUES_OF_SLOW_COMMIT = 100_000;

/** Reads the columns of a request from its bytes. @throws ConnectError when the bytes are malformed. */
export function commitFileColumns(bytes: Uint8Array): CommitFileColumns {
  const columns = decodeCommitFileColumns(bytes);
  if (columns !== undefined) {
    return columns;
  }
  requireValues(CommitFileRequestSchema, bytes, MAX_VALUES_OF_SLOW_COMMIT);
  return columnsOfMessage(parseMessage(CommitFileRequestSchema, bytes));
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
    agentId: request.agentId,
    batchTransaction: Uint32Array.from(request.batchTransaction),
    transactions: request.transactions.map(({ transactionalId, addsPartitions }) => ({
      transactionalId,
      addsPartitions,
    })),
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

function safeIntegers(column: readonly bigint[]): Float64Array {
  const numbers = new Float64Array(column.length);
  for (let index = 0; index < column.length; index += 1) {
    numbers[index] = toSafeInteger(column[index] ?? 0n);
  }
  return numbers;
}

function bigints(column: Float64Array): bigint[] {
  const values = new Array<bigint>(column.length);
  for (let index = 0; index < column.length; index += 1) {
    values[index] = BigInt(column[index] ?? 0);
  }
  return values;
}
