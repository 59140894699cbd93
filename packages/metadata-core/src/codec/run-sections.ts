// Snapshot format of the run indexes: rows of consecutive partitions share a batch, so that partitions with few runs cost little.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { numberAt, wordAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { MAX_FILE_BYTES } from '../model/limits.ts';
import type { Partition } from '../state/partition.types.ts';
import {
  BYTES,
  type CapturedRuns,
  CHUNK_HEAD,
  FILE,
  MAX_TIMESTAMP,
  POSITION,
  ROW_WORDS,
  RunIndex,
} from '../state/run-index.ts';
import { readWide } from '../state/words.ts';
import { BATCH_ROWS, Batch, readBatch } from './columns.ts';
import type { Item } from './section.ts';

/** Runs are contiguous in offsets: their lengths give their base offsets. */
const COLUMNS = ['records', 'file', 'position', 'bytes', 'maxTimestampMs'] as const;
const MAX_WORD = 0xffff_ffff;

/** The rows of one partition within a batch. */
interface Piece {
  /** The partition's number over all topics. */
  partition: number;
  baseOffset: number;
  rows: number;
}

/** @param captured by partition, numbered over all topics; undefined: no runs */
export function* runItems(
  captured: readonly (CapturedRuns | undefined)[],
  highWatermark: (partition: number) => number,
): Iterable<Item> {
  const batch = new Batch(COLUMNS);
  let pieces: Piece[] = [];
  const write: Item = (to) => {
    to.unsigned(pieces.length);
    let before = 0;
    for (const { partition, baseOffset, rows } of pieces) {
      to.unsigned(partition - before);
      to.unsigned(baseOffset);
      to.unsigned(rows);
      before = partition;
    }
    batch.flush(to);
    pieces = [];
  };
  for (const [partition, runs] of captured.entries()) {
    if (runs === undefined) {
      continue;
    }
    let piece: Piece | undefined;
    for (const span of spansOf(runs, highWatermark(partition))) {
      for (let done = 0; done < span.rows; ) {
        if (piece === undefined) {
          piece = { partition, baseOffset: readWide(span.words, wordOf(span.row + done)), rows: 0 };
          pieces.push(piece);
        }
        const count = Math.min(span.rows - done, BATCH_ROWS - batch.rows);
        gather(batch, span, done, count);
        piece.rows += count;
        done += count;
        if (batch.isFull) {
          yield write;
          piece = undefined;
        }
      }
    }
  }
  if (batch.rows > 0) {
    yield write;
  }
}

/** Captured rows in one chunk. */
export interface Span {
  words: Uint32Array;
  /** The first of these rows, counted within the chunk. */
  row: number;
  rows: number;
  /** The base offset of the run after them. */
  endOffset: number;
}

/** The index of a row's first word within its chunk. */
export function wordOf(row: number): number {
  return CHUNK_HEAD + row * ROW_WORDS;
}

/** The captured rows, chunk by chunk. */
export function* spansOf({ chunks, starts, skipped, length }: CapturedRuns, highWatermark: number): Iterable<Span> {
  if (chunks.length === 0) {
    return;
  }
  const end = numberAt(starts, 0) + skipped + length;
  for (const [chunk, words] of chunks.entries()) {
    const row = chunk === 0 ? skipped : 0;
    const next = chunks[chunk + 1];
    yield {
      words,
      row,
      rows: Math.min(starts[chunk + 1] ?? end, end) - numberAt(starts, chunk) - row,
      endOffset: next === undefined ? highWatermark : readWide(next, CHUNK_HEAD),
    };
  }
}

/** The base offset of the run after a row of a span. */
export function endOf({ words, row: first, rows, endOffset }: Span, row: number): number {
  return row + 1 < rows ? readWide(words, wordOf(first + row + 1)) : endOffset;
}

/** Copies `count` rows of a span, after the first `done`, into the columns. */
function gather(batch: Batch<(typeof COLUMNS)[number]>, span: Span, done: number, count: number): void {
  const { records, file, position, bytes, maxTimestampMs } = batch.columns;
  const { words } = span;
  const first = batch.rows;
  for (let row = 0; row < count; row += 1) {
    const at = wordOf(span.row + done + row);
    records[first + row] = endOf(span, done + row) - readWide(words, at);
    file[first + row] = wordAt(words, at + FILE);
    position[first + row] = wordAt(words, at + POSITION);
    bytes[first + row] = wordAt(words, at + BYTES);
    maxTimestampMs[first + row] = readWide(words, at + MAX_TIMESTAMP);
  }
  batch.rows += count;
}

/**
 * @param partitions numbered over all topics
 * @param runCounts each partition's total number of runs
 */
export function readRuns(from: ByteReader, partitions: readonly Partition[], runCounts: readonly number[]): void {
  const pieces: Piece[] = [];
  let before = 0;
  for (let left = from.count(3); left > 0; left -= 1) {
    const partition = before + from.unsigned();
    pieces.push({ partition, baseOffset: from.unsigned(), rows: from.unsigned() });
    before = partition;
  }
  const { rows, columns } = readBatch(from, COLUMNS);
  requireWords(columns.file, MAX_WORD);
  requireWords(columns.position, MAX_FILE_BYTES);
  requireWords(columns.bytes, MAX_FILE_BYTES);
  let row = 0;
  for (const piece of pieces) {
    const partition = partitions[piece.partition];
    if (partition === undefined || row + piece.rows > rows) {
      throw new CorruptDataError('runs belong to no partition');
    }
    partition.runs ??= new RunIndex(numberAt(runCounts, piece.partition), partition.memory);
    partition.runs.appendRows(piece.baseOffset, columns, row, row + piece.rows);
    row += piece.rows;
  }
}

function requireWords(column: Float64Array, most: number): void {
  for (const value of column) {
    if (!(value >= 0 && value <= most)) {
      throw new CorruptDataError('a number of a run is out of range');
    }
  }
}
