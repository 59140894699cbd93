// Snapshot format of the run indexes: rows of consecutive partitions in one batch, so that partitions with few runs cost little.
import { MAX_FILE_BYTES } from '../limits.ts';
import type { Partition } from '../state/partition.ts';
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
import { type ByteReader, CorruptDataError } from './byte-reader.ts';
import { Batch, readBatch } from './columns.ts';
import type { Item } from './section.ts';

/** Runs are contiguous in offsets: their lengths tell where they begin. */
const COLUMNS = ['records', 'file', 'position', 'bytes', 'maxTimestampMs'] as const;
const MAX_WORD = 0xffff_ffff;

/** Rows of one partition within a batch. */
interface Piece {
  /** Number of the partition, counted over all topics. */
  partition: number;
  baseOffset: number;
  rows: number;
}

/** @param captured by partition, counted over all topics; undefined: no run */
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
    for (const { words, at, nextBase } of rowsOf(runs, highWatermark(partition))) {
      const baseOffset = readWide(words, at);
      if (piece === undefined) {
        piece = { partition, baseOffset, rows: 0 };
        pieces.push(piece);
      }
      batch.add({
        records: nextBase - baseOffset,
        file: words[at + FILE] ?? 0,
        position: words[at + POSITION] ?? 0,
        bytes: words[at + BYTES] ?? 0,
        maxTimestampMs: readWide(words, at + MAX_TIMESTAMP),
      });
      piece.rows += 1;
      if (batch.isFull) {
        yield write;
        piece = undefined;
      }
    }
  }
  if (batch.rows > 0) {
    yield write;
  }
}

/** Each captured row: its chunk, its first word in there, and where the next run begins. The same object every time. */
function* rowsOf(
  { chunks, starts, skipped, length }: CapturedRuns,
  highWatermark: number,
): Iterable<{ words: Uint32Array; at: number; nextBase: number }> {
  const end = (starts[0] ?? 0) + skipped + length;
  const row: { words: Uint32Array; at: number; nextBase: number } = { words: new Uint32Array(0), at: 0, nextBase: 0 };
  for (const [chunk, words] of chunks.entries()) {
    const start = starts[chunk] ?? 0;
    const rows = Math.min(starts[chunk + 1] ?? end, end) - start;
    const next = chunks[chunk + 1];
    for (let at = chunk === 0 ? skipped : 0; at < rows; at += 1) {
      row.words = words;
      row.at = CHUNK_HEAD + at * ROW_WORDS;
      row.nextBase =
        at + 1 < rows
          ? readWide(words, row.at + ROW_WORDS)
          : next === undefined
            ? highWatermark
            : readWide(next, CHUNK_HEAD);
      yield row;
    }
  }
}

/**
 * @param partitions counted over all topics
 * @param runCounts by partition, how many runs it has in all
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
    partition.runs ??= new RunIndex(runCounts[piece.partition] ?? 0);
    const { runs } = partition;
    let { baseOffset } = piece;
    for (const end = row + piece.rows; row < end; row += 1) {
      runs.append(
        baseOffset,
        columns.file[row] ?? 0,
        columns.position[row] ?? 0,
        columns.bytes[row] ?? 0,
        columns.maxTimestampMs[row] ?? 0,
      );
      baseOffset += columns.records[row] ?? 0;
    }
  }
}

function requireWords(column: Float64Array, most: number): void {
  for (const value of column) {
    if (!(value >= 0 && value <= most)) {
      throw new CorruptDataError('a number of a run is out of range');
    }
  }
}
