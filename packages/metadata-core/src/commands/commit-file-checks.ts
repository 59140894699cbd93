// What makes a whole commit impossible: a request that contradicts itself, or an id that cannot be applied any more.
import { ErrorCode } from '../error-code.ts';
import { ID_BYTES, uuidV7TimeMs } from '../ids.ts';
import {
  FILE_ID_MAX_AGE_MS,
  FILE_ID_MAX_LEAD_MS,
  MAX_BATCH_RECORDS,
  MAX_BATCH_UNCOMPRESSED_BYTES,
  MAX_BATCHES_PER_FILE,
  MAX_FILE_BYTES,
  MAX_RUNS_PER_FILE,
  MIN_BATCH_BYTES,
} from '../limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Refusal } from '../topics/topic-result.ts';
import type { CommitFile } from './data.types.ts';

/**
 * In fixed precedence: shape of the request, then age of the id, then knowledge of the file. INVALID_REQUEST, unless the same commit can
 * succeed later.
 */
export function commitRefusal(state: ClusterState, command: CommitFile, nowMs: number): Refusal | null {
  const problem = columnProblem(command) ?? layoutProblem(command);
  return problem === null ? idRefusal(state, command, nowMs) : refusal(problem);
}

function refusal(message: string): Refusal {
  return { errorCode: ErrorCode.INVALID_REQUEST, message };
}

function columnProblem(command: CommitFile): string | null {
  const runs = command.runTopic.length;
  const batches = command.batchBytes.length;
  if (runs > MAX_RUNS_PER_FILE || batches > MAX_BATCHES_PER_FILE) {
    return 'The file has too many runs or batches.';
  }
  const { producers } = command;
  const runColumns = [command.runPartition, command.runPosition, command.runBatches];
  const batchColumns = [command.batchRecords, command.batchMaxTimestampMs, command.batchUncompressedBytes];
  if (runColumns.some((column) => column.length !== runs) || batchColumns.some((column) => column.length !== batches)) {
    return 'Parallel columns differ in length.';
  }
  if (
    producers !== null &&
    (producers.id.length !== batches || producers.epoch.length !== batches || producers.baseSequence.length !== batches)
  ) {
    return 'Producer columns differ in length from the batches.';
  }
  if (command.topicIds.some((topicId) => topicId.length !== ID_BYTES)) {
    return 'A topic id is not 16 bytes long.';
  }
  return null;
}

/** Runs follow each other within the file, batches within their run, and every number is one that a batch can have. */
function layoutProblem(command: CommitFile): string | null {
  const { fileBytes, topicIds, runTopic, runPosition, runBatches, batchBytes, batchRecords, producers } = command;
  if (!Number.isInteger(fileBytes) || fileBytes < 1 || fileBytes > MAX_FILE_BYTES) {
    return `A data file has 1 to ${MAX_FILE_BYTES} bytes.`;
  }
  let batch = 0;
  let fileEnd = 0;
  for (let run = 0; run < runTopic.length; run += 1) {
    const position = runPosition[run] ?? 0;
    if ((runTopic[run] ?? 0) >= topicIds.length) {
      return 'A run names a topic beyond the list.';
    }
    if (!Number.isInteger(position) || position < fileEnd) {
      return 'Runs overlap or are not in the order of the file.';
    }
    fileEnd = position;
    const end = batch + (runBatches[run] ?? 0);
    if (end === batch || end > batchBytes.length) {
      return 'The runs do not add up to the batches.';
    }
    for (; batch < end; batch += 1) {
      const bytes = batchBytes[batch] ?? 0;
      const records = batchRecords[batch] ?? 0;
      const uncompressed = command.batchUncompressedBytes[batch] ?? 0;
      if (bytes < MIN_BATCH_BYTES || records < 1 || records > MAX_BATCH_RECORDS) {
        return 'A batch has at least 61 bytes and 1 to 2^31 - 1 records.';
      }
      if (!Number.isInteger(uncompressed) || uncompressed < 0 || uncompressed > MAX_BATCH_UNCOMPRESSED_BYTES) {
        return `A batch has at most ${MAX_BATCH_UNCOMPRESSED_BYTES} uncompressed bytes.`;
      }
      if (!Number.isSafeInteger(command.batchMaxTimestampMs[batch] ?? 0)) {
        return 'A timestamp is beyond 2^53.';
      }
      if (producers !== null && !Number.isSafeInteger(producers.id[batch] ?? 0)) {
        return 'A producer id is beyond 2^53.';
      }
      fileEnd += bytes;
    }
  }
  if (batch !== batchBytes.length) {
    return 'The runs do not add up to the batches.';
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
    // Clients retry this code, and know that nothing was written.
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
