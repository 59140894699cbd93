// Snapshot format of what is kept for retries: answers to commits, and granted producer ids.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { doubleAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { ID_BYTES, type IdKey, idFromKey, idKey } from '../model/ids.ts';
import { MAX_BATCHES_PER_FILE } from '../model/limits.ts';
import type { ProducerIdGrant } from '../state/cluster-state.ts';
import type { CommitAnswers, RememberedAnswer } from '../state/commit-answers.ts';
import { BATCH_ROWS, Batch, readBatch, readColumn, writeColumn } from './columns.ts';
import type { Item } from './section.ts';

export function* answerItems(answers: readonly RememberedAnswer[]): Iterable<Item> {
  for (const { fileId, answeredAtMs, batchBaseOffset, batchErrorCode, runLogStartOffset } of answers) {
    yield (to) => {
      to.raw(fileId);
      to.unsigned(answeredAtMs);
      writeNumbers(to, batchBaseOffset);
      writeNumbers(to, Float64Array.from(batchErrorCode));
      writeNumbers(to, runLogStartOffset);
    };
  }
}

export function readAnswer(from: ByteReader, answers: CommitAnswers): void {
  answers.restoreAnswer({
    fileId: from.raw(ID_BYTES),
    answeredAtMs: from.unsigned(),
    batchBaseOffset: readNumbers(from),
    batchErrorCode: Int32Array.from(readNumbers(from)),
    runLogStartOffset: readNumbers(from),
  });
}

function writeNumbers(to: ByteWriter, numbers: Float64Array): void {
  to.unsigned(numbers.length);
  writeColumn(to, numbers, numbers.length);
}

function readNumbers(from: ByteReader): Float64Array {
  const count = from.unsigned();
  if (count > MAX_BATCHES_PER_FILE) {
    throw new CorruptDataError('an answer has more batches than a file');
  }
  return readColumn(from, count);
}

/** Ids of committed files: the minute of their timestamps, their number, 16 bytes each. */
export function* commitIdItems(minutes: readonly { minute: number; ids: Uint8Array }[]): Iterable<Item> {
  for (const { minute, ids } of minutes) {
    for (let at = 0; at < ids.length; at += BATCH_ROWS * ID_BYTES) {
      yield (to) => {
        to.unsigned(minute);
        to.bytes(ids.subarray(at, at + BATCH_ROWS * ID_BYTES));
      };
    }
  }
}

export function readCommitIds(from: ByteReader, answers: CommitAnswers): void {
  const minute = from.unsigned();
  const ids = from.bytes();
  if (ids.length % ID_BYTES !== 0) {
    throw new CorruptDataError('a list of file ids ends within an id');
  }
  answers.restoreIds(minute, ids);
}

const GRANT_COLUMNS = ['producerId', 'grantedAtMs'] as const;

export function* grantItems(grants: readonly (readonly [IdKey, ProducerIdGrant])[]): Iterable<Item> {
  for (let at = 0; at < grants.length; at += BATCH_ROWS) {
    yield (to) => {
      const rows = grants.slice(at, at + BATCH_ROWS);
      const batch = new Batch(GRANT_COLUMNS, rows.length);
      for (const [, grant] of rows) {
        batch.add(grant);
      }
      batch.flush(to);
      for (const [key] of rows) {
        to.raw(idFromKey(key));
      }
    };
  }
}

export function readGrants(from: ByteReader, grants: Map<IdKey, ProducerIdGrant>): void {
  const { rows, columns } = readBatch(from, GRANT_COLUMNS);
  for (let row = 0; row < rows; row += 1) {
    const key = idKey(from.view(ID_BYTES));
    grants.set(key, { producerId: doubleAt(columns.producerId, row), grantedAtMs: doubleAt(columns.grantedAtMs, row) });
  }
}
