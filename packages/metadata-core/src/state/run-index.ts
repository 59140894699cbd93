// The index of one partition's runs, in chunks of rows. Runs are in offset order without gaps: a run ends where the next starts, the last
// one at the partition's high watermark. Rows are numbered from the oldest remaining one, which is 0.
//
// While a capture is open, no row is changed and no row's memory is reused, because a snapshot in progress keeps reading the rows that it
// captured. Only merging changes rows at all.
//
// The end of a transaction is a row too, of one offset and without a file: a marker. It counts as having the size of the control batch that
// agents make of it, and never as the record with some timestamp.

import { assert, present } from '../model/assert.ts';
import { doubleAt, numberAt, wordAt } from '../model/checked.ts';
import { MARKER_BYTES } from '../model/limits.ts';
import type { Marker } from '../model/run.types.ts';
import { createPartitionMemory, type PartitionMemory, RUN_INDEX_BYTES } from './partition-memory.ts';
import { readWide, reservedBytes, writeWide } from './words.ts';

/** Rows of a full chunk. */
export const CHUNK_ROWS = 256;
const MIN_CHUNK_ROWS = 8;
/** A chunk with no more room than this keeps it, however few rows it holds. */
const SMALL_CHUNK_ROWS = 16;
/** Neighbours with at most this many rows together become one chunk when one of them changes. */
const JOINED_ROWS = CHUNK_ROWS / 2;
/** A chunk doubles its room up to this size, and then grows by half, so that at most a third of a large chunk's room is unused. */
const DOUBLED_ROWS = 64;
const GROWTH = 1.5;
/** The room of a new chunk, as a share of the existing rows. */
const NEW_CHUNK_SHARE = 1 / 8;
/** The first chunk is copied when this share of it is dropped rows. */
const MAX_DROPPED_SHARE = 1 / 4;

/** Words before a chunk's rows: the largest timestamp of all of them, dropped ones included. */
export const CHUNK_HEAD = 2;
/** Words of a row: base offset, largest timestamp, slot in the file table, position in the file, bytes. */
export const ROW_WORDS = 7;
export const MAX_TIMESTAMP = 2;
export const FILE = 4;
export const POSITION = 5;
export const BYTES = 6;

/** Stands for the slot in a marker; no file table has as many slots. */
const ABORT_MARKER = 0xffff_fffe;
const COMMIT_MARKER = 0xffff_ffff;
const WORD = 0x1_0000_0000;
const HALF_WORD = 0x1_0000;

export interface Run {
  baseOffset: number;
  /** Its slot in the file table. */
  file: number;
  position: number;
  bytes: number;
  maxTimestampMs: number;
}

/** Rows by column; `records` is the number of offsets that a run covers. */
export interface RunColumns {
  records: Float64Array;
  file: Float64Array;
  position: Float64Array;
  bytes: Float64Array;
  maxTimestampMs: Float64Array;
}

/** Rows as they were when captured. */
export interface CapturedRuns {
  chunks: readonly Uint32Array[];
  /** Rows of the first chunk that had been dropped. */
  skipped: number;
  /** Number of rows that remained. */
  length: number;
  /** The absolute row at which each chunk starts; the first remaining row is `starts[0] + skipped`. */
  starts: readonly number[];
}

export class RunIndex {
  #chunks: Uint32Array[] = [];
  /** Per chunk, the number of rows ever appended before its first one. */
  #starts: number[] = [];
  #head = 0;
  #tail = 0;
  #memoryBytes = 0;
  readonly #expectedRows: number;
  readonly #account: PartitionMemory;

  /**
   * @param expectedRows reserves room for this many rows, chunk by chunk
   * @param account counts what it reserves
   */
  constructor(expectedRows = 0, account = createPartitionMemory()) {
    this.#expectedRows = expectedRows;
    this.#account = account;
    account.runs += RUN_INDEX_BYTES;
  }

  get length(): number {
    return this.#tail - this.#head;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** Takes it off the account: its partition is deleted. */
  discard(): void {
    this.#account.runs -= RUN_INDEX_BYTES + this.#memoryBytes;
  }

  /** Adds the newest run. `file` is its slot in the file table. */
  append(baseOffset: number, file: number, position: number, bytes: number, maxTimestampMs: number): void {
    const chunk = this.#appendRow(baseOffset, file, position, bytes, maxTimestampMs);
    if (maxTimestampMs > readWide(chunk, 0)) {
      writeWide(chunk, 0, maxTimestampMs);
    }
  }

  /** Adds the end of a transaction as the newest row. @param timestampMs of the control batch */
  appendMarker(baseOffset: number, { producerId, producerEpoch, isCommit }: Marker, timestampMs: number): void {
    assert(producerId < HALF_WORD * WORD && producerEpoch < HALF_WORD, 'the producer of a marker fits into its row');
    const high = producerEpoch * HALF_WORD + Math.floor(producerId / WORD);
    this.#appendRow(baseOffset, isCommit ? COMMIT_MARKER : ABORT_MARKER, producerId % WORD, high, timestampMs);
  }

  #appendRow(baseOffset: number, file: number, position: number, bytes: number, maxTimestampMs: number): Uint32Array {
    let chunk = this.#chunks[this.#chunks.length - 1];
    let row = this.#rowsOfLast();
    if (chunk === undefined || CHUNK_HEAD + row * ROW_WORDS === chunk.length) {
      chunk = this.#makeRoom(chunk, row);
      row = this.#rowsOfLast();
    }
    const at = CHUNK_HEAD + row * ROW_WORDS;
    writeWide(chunk, at, baseOffset);
    writeWide(chunk, at + MAX_TIMESTAMP, maxTimestampMs);
    chunk[at + FILE] = file;
    chunk[at + POSITION] = position;
    chunk[at + BYTES] = bytes;
    if (row === 0) {
      writeWide(chunk, 0, Number.MIN_SAFE_INTEGER);
    }
    this.#tail += 1;
    return chunk;
  }

  /** Adds rows `from` to `end` of some columns, for restoring. The first one starts at `baseOffset`. */
  appendRows(baseOffset: number, columns: RunColumns, from: number, end: number): void {
    const { records, file, position, bytes, maxTimestampMs } = columns;
    let base = baseOffset;
    for (let row = from; row < end; ) {
      let chunk = this.#chunks[this.#chunks.length - 1];
      let used = this.#rowsOfLast();
      if (chunk === undefined || CHUNK_HEAD + used * ROW_WORDS === chunk.length) {
        chunk = this.#makeRoom(chunk, used);
        used = this.#rowsOfLast();
      }
      let largest = used === 0 ? Number.MIN_SAFE_INTEGER : readWide(chunk, 0);
      const count = Math.min(end - row, (chunk.length - CHUNK_HEAD) / ROW_WORDS - used);
      let at = CHUNK_HEAD + used * ROW_WORDS;
      for (const stop = row + count; row < stop; row += 1, at += ROW_WORDS) {
        const timestampMs = doubleAt(maxTimestampMs, row);
        writeWide(chunk, at, base);
        writeWide(chunk, at + MAX_TIMESTAMP, timestampMs);
        chunk[at + FILE] = doubleAt(file, row);
        chunk[at + POSITION] = doubleAt(position, row);
        chunk[at + BYTES] = doubleAt(bytes, row);
        base += doubleAt(records, row);
        if (doubleAt(file, row) < ABORT_MARKER) {
          largest = Math.max(largest, timestampMs);
        }
      }
      writeWide(chunk, 0, largest);
      this.#tail += count;
    }
  }

  baseOffset(row: number): number {
    const chunk = this.#chunkOf(row);
    return readWide(this.#words(chunk), this.#at(row, chunk));
  }
  maxTimestampMs(row: number): number {
    const chunk = this.#chunkOf(row);
    return readWide(this.#words(chunk), this.#at(row, chunk) + MAX_TIMESTAMP);
  }
  file(row: number): number {
    const chunk = this.#chunkOf(row);
    return wordAt(this.#words(chunk), this.#at(row, chunk) + FILE);
  }
  position(row: number): number {
    const chunk = this.#chunkOf(row);
    return wordAt(this.#words(chunk), this.#at(row, chunk) + POSITION);
  }
  bytes(row: number): number {
    const chunk = this.#chunkOf(row);
    const words = this.#words(chunk);
    const at = this.#at(row, chunk);
    return wordAt(words, at + FILE) >= ABORT_MARKER ? MARKER_BYTES : wordAt(words, at + BYTES);
  }
  /** Whether the row is the end of a transaction: then it has neither a file nor a position. */
  isMarker(row: number): boolean {
    return this.file(row) >= ABORT_MARKER;
  }
  /** Null: the row is a run. */
  marker(row: number): Marker | null {
    const chunk = this.#chunkOf(row);
    const words = this.#words(chunk);
    const at = this.#at(row, chunk);
    const file = wordAt(words, at + FILE);
    if (file < ABORT_MARKER) {
      return null;
    }
    const high = wordAt(words, at + BYTES);
    return {
      producerId: (high % HALF_WORD) * WORD + wordAt(words, at + POSITION),
      producerEpoch: Math.floor(high / HALF_WORD),
      isCommit: file === COMMIT_MARKER,
    };
  }

  /** The row of the run that holds `offset`, given that first base offset <= offset < high watermark; -1 if it is before all. */
  rowOfOffset(offset: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.baseOffset(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** The oldest run, from `fromRow` on, whose largest timestamp is at least `timestampMs`, or -1. */
  rowOfTimestamp(timestampMs: number, fromRow = 0): number {
    if (fromRow >= this.length) {
      return -1;
    }
    for (let chunk = this.#chunkOf(fromRow); chunk < this.#chunks.length; chunk += 1) {
      const words = this.#words(chunk);
      if (readWide(words, 0) < timestampMs) {
        continue;
      }
      // The maximum may be that of a run that was dropped or is not searched: then the search continues.
      const end = this.#end(chunk);
      for (let position = Math.max(this.#begin(chunk), this.#head + fromRow); position < end; position += 1) {
        const at = CHUNK_HEAD + (position - numberAt(this.#starts, chunk)) * ROW_WORDS;
        if (readWide(words, at + MAX_TIMESTAMP) >= timestampMs && wordAt(words, at + FILE) < ABORT_MARKER) {
          return position - this.#head;
        }
      }
    }
    return -1;
  }

  /** The oldest run, from `fromRow` on, that holds the largest timestamp of them all, or -1 when there are none. */
  rowOfMaxTimestamp(fromRow = 0): number {
    if (fromRow >= this.length) {
      return -1;
    }
    // Some of the first chunk's rows may be dropped or not searched, so its maximum may come from one of those.
    const first = this.#chunkOf(fromRow);
    let largest = Number.NEGATIVE_INFINITY;
    const firstEnd = this.#end(first) - this.#head;
    for (let row = fromRow; row < firstEnd; row += 1) {
      if (!this.isMarker(row)) {
        largest = Math.max(largest, this.maxTimestampMs(row));
      }
    }
    for (let chunk = first + 1; chunk < this.#chunks.length; chunk += 1) {
      largest = Math.max(largest, readWide(this.#words(chunk), 0));
    }
    return this.rowOfTimestamp(largest, fromRow);
  }

  /** Removes the oldest `count` runs. Amortized O(1) per run. */
  dropFront(count: number): void {
    assert(count >= 0 && count <= this.length, 'runs to drop exist');
    this.#head += count;
    let gone = 0;
    while (gone < this.#chunks.length && this.#end(gone) <= this.#head) {
      this.#reserve(-reservedBytes(this.#words(gone)));
      gone += 1;
    }
    if (gone > 0) {
      this.#chunks.splice(0, gone);
      this.#starts.splice(0, gone);
    }
    const first = this.#chunks[0];
    if (first === undefined) {
      return;
    }
    const dropped = this.#head - numberAt(this.#starts, 0);
    if (dropped * ROW_WORDS > first.length * MAX_DROPPED_SHARE) {
      this.#put(0, this.#copyRows(0, this.#head, this.#end(0)), this.#head);
    }
  }

  /**
   * Replaces `count` consecutive runs (at least one) from `fromRow` on with one run, which must cover them: its base offset is that of the
   * first of them or, at the front, an earlier one. The rows before and after do not change.
   * @param isRemade the rows go into new chunks: because a capture is open, or the largest timestamp is less than that of them all
   */
  replace(fromRow: number, count: number, run: Run, isRemade: boolean): void {
    assert(count >= 1 && fromRow >= 0 && fromRow + count <= this.length, 'runs to replace exist');
    const firstOffset = this.baseOffset(fromRow);
    assert(
      run.baseOffset === firstOffset || (fromRow === 0 && run.baseOffset < firstOffset),
      'a merged run begins where the first of its runs did',
    );
    const from = this.#head + fromRow;
    const end = from + count;
    const first = this.#chunkOf(fromRow);
    const last = this.#chunkOf(fromRow + count - 1);
    const before = from - this.#begin(first);
    const after = this.#end(last) - end;
    // A neighbour is joined if the result would be at most half full, so that merged runs do not leave many small chunks.
    const rowsNext = last + 1 < this.#chunks.length ? this.#rowsOf(last + 1) : CHUNK_ROWS;
    const joinsNext = before + 1 + after + rowsNext <= JOINED_ROWS;
    const rows = before + 1 + after + (joinsNext ? rowsNext : 0);
    const joinsPrevious = first > 0 && this.#rowsOf(first - 1) + rows <= JOINED_ROWS;
    const isMade = isRemade || joinsNext || joinsPrevious || last - first > 1;
    if (!isMade && this.#isFilled(first, before + 1 + (first === last ? after : 0))) {
      this.#replaceWithin(first, last, from, end, run);
    } else {
      this.#replaceChunks(joinsPrevious ? first - 1 : first, joinsNext ? last + 1 : last, from, end, run);
    }
    this.#tail -= count - 1;
  }

  /** Captures what a snapshot needs; costs a few numbers per chunk. */
  capture(): CapturedRuns {
    return {
      chunks: this.#chunks.slice(),
      starts: this.#starts.slice(),
      skipped: this.#chunks.length === 0 ? 0 : this.#head - numberAt(this.#starts, 0),
      length: this.length,
    };
  }

  /** The chunk that holds a row. */
  #chunkOf(row: number): number {
    const position = this.#head + row;
    assert(row >= 0 && position < this.#tail, 'row of the run index exists');
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (numberAt(starts, middle) <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The rows that the last chunk has been given, dropped ones included; 0 without a chunk. */
  #rowsOfLast(): number {
    return this.#chunks.length === 0 ? 0 : this.#tail - numberAt(this.#starts, this.#chunks.length - 1);
  }

  #at(row: number, chunk: number): number {
    return CHUNK_HEAD + (this.#head + row - numberAt(this.#starts, chunk)) * ROW_WORDS;
  }

  #words(chunk: number): Uint32Array {
    return present(this.#chunks[chunk], `chunk ${chunk}`);
  }

  /** The absolute number of a chunk's first remaining row, and the one after its last. */
  #begin(chunk: number): number {
    return Math.max(this.#head, numberAt(this.#starts, chunk));
  }
  #end(chunk: number): number {
    return this.#starts[chunk + 1] ?? this.#tail;
  }

  #reserve(bytes: number): void {
    this.#memoryBytes += bytes;
    this.#account.runs += bytes;
  }

  /** A chunk with room for one more row at the end: the last one, enlarged, or a new one. */
  #makeRoom(last: Uint32Array | undefined, rows: number): Uint32Array {
    if (last !== undefined && rows < CHUNK_ROWS) {
      const grown = newChunk(
        Math.min(CHUNK_ROWS, Math.max(MIN_CHUNK_ROWS, Math.ceil(rows * (rows < DOUBLED_ROWS ? 2 : GROWTH)))),
      );
      grown.set(last);
      this.#reserve(grown.byteLength - last.byteLength);
      this.#chunks[this.#chunks.length - 1] = grown;
      return grown;
    }
    const wanted = Math.max(this.#expectedRows - this.#tail, Math.ceil(this.length * NEW_CHUNK_SHARE));
    const chunk = newChunk(Math.min(CHUNK_ROWS, Math.max(MIN_CHUNK_ROWS, wanted)));
    this.#chunks.push(chunk);
    this.#starts.push(this.#tail);
    this.#reserve(reservedBytes(chunk));
    return chunk;
  }

  #copyRows(chunk: number, from: number, end: number): Uint32Array {
    const words = newChunk(end - from);
    copyRows(this.#words(chunk), from - numberAt(this.#starts, chunk), words, 0, end - from);
    setMaximum(words, end - from);
    return words;
  }

  #put(chunk: number, words: Uint32Array, start: number): void {
    this.#reserve(reservedBytes(words) - reservedBytes(this.#words(chunk)));
    this.#chunks[chunk] = words;
    this.#starts[chunk] = start;
  }

  #rowsOf(chunk: number): number {
    return this.#end(chunk) - this.#begin(chunk);
  }

  /** Whether a chunk with this many remaining rows keeps its room. */
  #isFilled(chunk: number, rows: number): boolean {
    const room = (this.#words(chunk).length - CHUNK_HEAD) / ROW_WORDS;
    return rows * 2 >= room || room <= SMALL_CHUNK_ROWS;
  }

  /** Replaces rows of one chunk, or of two neighbours, in place: making a chunk costs more than moving its rows. */
  #replaceWithin(first: number, last: number, from: number, end: number, run: Run): void {
    const words = this.#words(first);
    const row = from - numberAt(this.#starts, first);
    writeRow(words, row, run);
    if (first === last) {
      moveRows(words, end - numberAt(this.#starts, first), row + 1, this.#end(first) - end);
    } else {
      writeWide(words, 0, Math.max(readWide(words, 0), run.maxTimestampMs));
      const after = this.#end(last) - end;
      const upper = this.#words(last);
      moveRows(upper, end - numberAt(this.#starts, last), 0, after);
      setMaximum(upper, after);
      this.#starts[last] = end;
      if (after === 0) {
        this.#reserve(-reservedBytes(upper));
        this.#chunks.splice(last, 1);
        this.#starts.splice(last, 1);
      }
    }
    this.#moveStarts(first + 1, end - from - 1);
  }

  /** Makes new chunks of all rows from one chunk to another, visiting each chunk once. All but the last are full. */
  #replaceChunks(first: number, last: number, from: number, end: number, run: Run): void {
    const start = this.#begin(first);
    const rows = this.#end(last) - start - (end - from - 1);
    const made: Uint32Array[] = [];
    for (let left = rows; left > 0; left -= CHUNK_ROWS) {
      made.push(newChunk(Math.min(left, CHUNK_ROWS)));
    }
    let written = 0;
    const madeAt = (): Uint32Array => present(made[Math.floor(written / CHUNK_ROWS)], 'a chunk with room');
    const copy = (chunk: number, begin: number, stop: number): void => {
      for (let at = begin; at < stop; ) {
        const row = written % CHUNK_ROWS;
        const count = Math.min(stop - at, CHUNK_ROWS - row);
        copyRows(this.#words(chunk), at - numberAt(this.#starts, chunk), madeAt(), row, count);
        at += count;
        written += count;
      }
    };
    for (let chunk = first; chunk <= last; chunk += 1) {
      const [begin, stop] = [this.#begin(chunk), this.#end(chunk)];
      copy(chunk, begin, Math.min(stop, from));
      if (begin <= from && from < stop) {
        writeRow(madeAt(), written % CHUNK_ROWS, run);
        written += 1;
      }
      copy(chunk, Math.max(begin, end), stop);
      this.#reserve(-reservedBytes(this.#words(chunk)));
    }
    for (const [at, words] of made.entries()) {
      setMaximum(words, Math.min(CHUNK_ROWS, rows - at * CHUNK_ROWS));
      this.#reserve(reservedBytes(words));
    }
    this.#chunks.splice(first, last - first + 1, ...made);
    this.#starts.splice(first, last - first + 1, ...made.map((_, at) => start + at * CHUNK_ROWS));
    this.#moveStarts(first + made.length, end - from - 1);
  }

  /** Moves the starts of these chunks after rows before them were removed. */
  #moveStarts(fromChunk: number, rows: number): void {
    for (let chunk = fromChunk; chunk < this.#starts.length; chunk += 1) {
      this.#starts[chunk] = numberAt(this.#starts, chunk) - rows;
    }
  }
}

/** A chunk with room for some rows. */
function newChunk(rows: number): Uint32Array {
  return new Uint32Array(CHUNK_HEAD + rows * ROW_WORDS);
}

function writeRow(words: Uint32Array, row: number, run: Run): void {
  const at = CHUNK_HEAD + row * ROW_WORDS;
  writeWide(words, at, run.baseOffset);
  writeWide(words, at + MAX_TIMESTAMP, run.maxTimestampMs);
  words[at + FILE] = run.file;
  words[at + POSITION] = run.position;
  words[at + BYTES] = run.bytes;
}

function copyRows(from: Uint32Array, fromRow: number, to: Uint32Array, toRow: number, count: number): void {
  const start = CHUNK_HEAD + fromRow * ROW_WORDS;
  to.set(from.subarray(start, start + count * ROW_WORDS), CHUNK_HEAD + toRow * ROW_WORDS);
}

/** Moves rows within a chunk, towards its front. */
function moveRows(words: Uint32Array, fromRow: number, toRow: number, count: number): void {
  const start = CHUNK_HEAD + fromRow * ROW_WORDS;
  words.copyWithin(CHUNK_HEAD + toRow * ROW_WORDS, start, start + count * ROW_WORDS);
}

function setMaximum(words: Uint32Array, rows: number): void {
  let largest = Number.MIN_SAFE_INTEGER;
  for (let row = 0; row < rows; row += 1) {
    const at = CHUNK_HEAD + row * ROW_WORDS;
    if (wordAt(words, at + FILE) < ABORT_MARKER) {
      largest = Math.max(largest, readWide(words, at + MAX_TIMESTAMP));
    }
  }
  writeWide(words, 0, largest);
}
