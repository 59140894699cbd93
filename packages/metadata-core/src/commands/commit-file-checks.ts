// Checks that refuse a whole commit: a request that contradicts itself, or an id that can no longer be applied.

import { doubleAt, wordAt } from '../model/checked.ts';
import type { CommitFile } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { ID_BYTES, uuidV7TimeMs } from '../model/ids.ts';
import {
  FILE_ID_MAX_AGE_MS,
  FILE_ID_MAX_LEAD_MS,
  MAX_BATCH_RECORDS,
  MAX_BATCH_UNCOMPRESSED_BYTES,
  MAX_BATCHES_PER_FILE,
  MAX_FILE_BYTES,
  MAX_RUNS_PER_COMMIT,
  MAX_RUNS_PER_FILE,
  MIN_BATCH_BYTES,
} from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Refusal } from '../topics/topic-result.ts';
import { fileMeteringProblem, meteringProblem } from './metering-problem.ts';

/**
 * Checks in a fixed order: the request's shape, the age of the id, then whether the file is known. INVALID_REQUEST, unless the same commit
 * can succeed later.
 */
export function commitRefusal(state: ClusterState, command: CommitFile, nowMs: number): Refusal | null {
  const problem =
    sizeProblem(command) ??
    columnProblem(command) ??
    layoutProblem(command) ??
    meteringProblem(command) ??
    fileMeteringProblem(command);
  return problem === null ? idRefusal(state, command, nowMs) : refusal(problem);
}

function refusal(message: string): Refusal {
  return { errorCode: ErrorCode.INVALID_REQUEST, message };
}

function sizeProblem({ runTopic, batchBytes }: CommitFile): string | null {
  if (runTopic.length > MAX_RUNS_PER_COMMIT) {
    return `The file has batches of ${runTopic.length} partitions, and a commit may have ${MAX_RUNS_PER_COMMIT}. Upgrade the agent: newer ones write several files.`;
  }
  return runTopic.length > MAX_RUNS_PER_FILE || batchBytes.length > MAX_BATCHES_PER_FILE
    ? 'The file has too many runs or batches.'
    : null;
}

/** How the columns of a commit contradict each other, using their names in the RPC. Null when they don't. */
export function columnProblem(command: CommitFile): string | null {
  const { topicIds, runTopic, runBatches, batchBytes, producers } = command;
  const runs = runTopic.length;
  const batches = batchBytes.length;
  const ofLength =
    lengthProblem('run_partition', command.runPartition, runs, 'run_topic') ??
    lengthProblem('run_position', command.runPosition, runs, 'run_topic') ??
    lengthProblem('run_batches', runBatches, runs, 'run_topic') ??
    lengthProblem('batch_records', command.batchRecords, batches, 'batch_bytes') ??
    lengthProblem('batch_max_timestamp_ms', command.batchMaxTimestampMs, batches, 'batch_bytes') ??
    lengthProblem('batch_uncompressed_bytes', command.batchUncompressedBytes, batches, 'batch_bytes');
  const ofProducers =
    producers === null
      ? null
      : (lengthProblem('batch_producer_id', producers.id, batches, 'batch_bytes') ??
        lengthProblem('batch_producer_epoch', producers.epoch, batches, 'batch_bytes') ??
        lengthProblem('batch_base_sequence', producers.baseSequence, batches, 'batch_bytes'));
  return (
    ofLength ??
    ofProducers ??
    transactionProblem(command, batches) ??
    referenceProblem(topicIds, runTopic, runBatches, batches)
  );
}

function transactionProblem({ producers, transactions }: CommitFile, batches: number): string | null {
  if (transactions === null || transactions === undefined) {
    return null;
  }
  if (producers === null) {
    return 'batch_transaction needs batch_producer_id';
  }
  const last = transactions.producers.length;
  const unknown = transactions.batch.findIndex((number) => number > last);
  const unowned = transactions.batch.findIndex((number, batch) => number > 0 && (producers.id[batch] ?? -1) < 0);
  if (unowned >= 0) {
    return `batch_transaction[${unowned}] names a transaction, but the batch has no producer id`;
  }
  return (
    lengthProblem('batch_transaction', transactions.batch, batches, 'batch_bytes') ??
    (unknown < 0
      ? null
      : `batch_transaction[${unknown}] is ${transactions.batch[unknown]}, but transactions has ${last} entries`)
  );
}

function lengthProblem(
  field: string,
  column: { readonly length: number },
  expected: number,
  reference: string,
): string | null {
  return column.length === expected ? null : `${field} has ${column.length} entries, but ${reference} has ${expected}`;
}

function referenceProblem(
  topicIds: readonly Uint8Array[],
  runTopic: Uint32Array,
  runBatches: Uint32Array,
  batches: number,
): string | null {
  if (topicIds.some((topicId) => topicId.length !== ID_BYTES)) {
    return `an id in topic_ids is not ${ID_BYTES} bytes long`;
  }
  let batchesOfRuns = 0;
  for (let run = 0; run < runTopic.length; run += 1) {
    batchesOfRuns += wordAt(runBatches, run);
    const topic = wordAt(runTopic, run);
    if (topic >= topicIds.length) {
      return `run_topic[${run}] is ${topic}, but topic_ids has ${topicIds.length} entries`;
    }
  }
  return batchesOfRuns === batches
    ? null
    : `run_batches add up to ${batchesOfRuns}, but batch_bytes has ${batches} entries`;
}

/** Checks that runs follow each other within the file, batches within their run, and that every number is possible for a batch. */
function layoutProblem(command: CommitFile): string | null {
  const { fileBytes, runTopic, runPosition, runBatches, batchBytes, batchRecords, producers } = command;
  if (!Number.isInteger(fileBytes) || fileBytes < 1 || fileBytes > MAX_FILE_BYTES) {
    return `A data file has 1 to ${MAX_FILE_BYTES} bytes.`;
  }
  let batch = 0;
  let fileEnd = 0;
  for (let run = 0; run < runTopic.length; run += 1) {
    const position = doubleAt(runPosition, run);
    if (!Number.isInteger(position) || position < fileEnd) {
      return 'Runs overlap or are not in the order of the file.';
    }
    fileEnd = position;
    const end = batch + wordAt(runBatches, run);
    if (end === batch) {
      return 'A run has no batches.';
    }
    for (; batch < end; batch += 1) {
      const bytes = wordAt(batchBytes, batch);
      const records = wordAt(batchRecords, batch);
      const uncompressed = doubleAt(command.batchUncompressedBytes, batch);
      if (bytes < MIN_BATCH_BYTES || records < 1 || records > MAX_BATCH_RECORDS) {
        return 'A batch has at least 61 bytes and 1 to 2^31 - 1 records.';
      }
      if (!Number.isInteger(uncompressed) || uncompressed < 0 || uncompressed > MAX_BATCH_UNCOMPRESSED_BYTES) {
        return `A batch has at most ${MAX_BATCH_UNCOMPRESSED_BYTES} uncompressed bytes.`;
      }
      if (!Number.isSafeInteger(doubleAt(command.batchMaxTimestampMs, batch))) {
        return 'A timestamp is beyond 2^53.';
      }
      if (producers !== null && !Number.isSafeInteger(doubleAt(producers.id, batch))) {
        return 'A producer id is beyond 2^53.';
      }
      fileEnd += bytes;
    }
  }
  return fileEnd > fileBytes ? 'The runs reach beyond the end of the file.' : null;
}

function idRefusal(state: ClusterState, command: CommitFile, nowMs: number): Refusal | null {
  const idTimeMs = uuidV7TimeMs(command.fileId);
  if (idTimeMs === undefined) {
    return refusal('The file id is not a UUIDv7.');
  }
  if (idTimeMs < nowMs - FILE_ID_MAX_AGE_MS) {
    return refusal(
      'The file id is older than 10 minutes: write the records to a new file. Check the clock of the agent.',
    );
  }
  if (idTimeMs > nowMs + FILE_ID_MAX_LEAD_MS) {
    return refusal('The file id lies more than 5 minutes in the future: check the clock of the agent.');
  }
  const obstacle = state.answers.obstacle(command.fileId, idTimeMs, nowMs);
  if (obstacle === 'too-many-ahead') {
    return refusal('Too many file ids lie ahead of the time: check the clock of the agent.');
  }
  if (obstacle === 'full') {
    // Clients retry on this code, and know that nothing was written.
    const message = 'The cluster has committed more files in the last minute than it can remember: try again later.';
    return { errorCode: ErrorCode.NOT_ENOUGH_REPLICAS, message };
  }
  if (obstacle === 'forgotten' || state.files.knows(command.fileId)) {
    return refusal('The answer for this file id is no longer known: write the records to a new file.');
  }
  return state.answers.find(command.fileId) === undefined
    ? null
    : refusal('This file id was committed with other runs: an id names one file only.');
}
