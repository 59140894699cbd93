// Columns of numbers in a snapshot: the smallest number, then each one's distance from it, in as few whole bytes as the largest distance
// needs. Faster to read than variable-length integers, and hardly longer for numbers of one kind.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { byteAt, doubleAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';

/** Rows per batch: enough to make a column's header cheap, few enough to be written in a short step. */
export const BATCH_ROWS = 4_096;

const WORD = 0x1_0000_0000;
/** Distances beyond 2^53 are not exact, so such numbers are written unchanged, as IEEE doubles. */
const RAW = 8;

/** Writes the first `count` integers of a column; each from -(2^53 - 1) to 2^53 - 1. */
export function writeColumn(to: ByteWriter, values: Float64Array, count: number): void {
  let least = count === 0 ? 0 : Number.POSITIVE_INFINITY;
  let most = count === 0 ? 0 : Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const value = doubleAt(values, at);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const width = widthOf(most - least);
  to.byte(width);
  if (width === RAW) {
    const bytes = to.claim(count * RAW);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < count; at += 1) {
      view.setFloat64(at * RAW, doubleAt(values, at), true);
    }
    return;
  }
  to.signed(least);
  const bytes = to.claim(count * width);
  if (width <= 4) {
    writeNarrow(bytes, values, count, width, least);
  } else {
    writeWider(bytes, values, count, width, least);
  }
}

function writeNarrow(bytes: Uint8Array, values: Float64Array, count: number, width: number, least: number): void {
  for (let at = 0, byte = 0; at < count; at += 1, byte += width) {
    const distance = (doubleAt(values, at) - least) >>> 0;
    for (let place = 0; place < width; place += 1) {
      bytes[byte + place] = distance >>> (place * 8);
    }
  }
}

function writeWider(bytes: Uint8Array, values: Float64Array, count: number, width: number, least: number): void {
  for (let at = 0, byte = 0; at < count; at += 1, byte += width) {
    const distance = doubleAt(values, at) - least;
    const high = Math.floor(distance / WORD);
    const low = (distance - high * WORD) >>> 0;
    bytes[byte] = low;
    bytes[byte + 1] = low >>> 8;
    bytes[byte + 2] = low >>> 16;
    bytes[byte + 3] = low >>> 24;
    for (let place = 4; place < width; place += 1) {
      bytes[byte + place] = high >>> ((place - 4) * 8);
    }
  }
}

/** Reads a column of `count` integers. @throws CorruptDataError */
export function readColumn(from: ByteReader, count: number): Float64Array {
  const width = from.byte();
  if (width > RAW) {
    throw new CorruptDataError('a column has an unknown width');
  }
  if (width === RAW) {
    return readRaw(from, count);
  }
  const least = from.signed();
  const bytes = from.view(count * width);
  const values = new Float64Array(count);
  switch (width) {
    case 0:
      values.fill(least);
      break;
    case 1:
      for (let at = 0; at < count; at += 1) {
        values[at] = least + byteAt(bytes, at);
      }
      break;
    case 2:
      for (let at = 0, byte = 0; at < count; at += 1, byte += 2) {
        values[at] = least + (byteAt(bytes, byte) | (byteAt(bytes, byte + 1) << 8));
      }
      break;
    case 3:
      for (let at = 0, byte = 0; at < count; at += 1, byte += 3) {
        values[at] = least + (byteAt(bytes, byte) | (byteAt(bytes, byte + 1) << 8) | (byteAt(bytes, byte + 2) << 16));
      }
      break;
    default:
      readWider(bytes, width, least, values);
  }
  if (Math.abs(least) + 2 ** (8 * width) > Number.MAX_SAFE_INTEGER) {
    requireSafe(values);
  }
  return values;
}

function readWider(bytes: Uint8Array, width: number, least: number, values: Float64Array): void {
  for (let at = 0, byte = 0; at < values.length; at += 1, byte += width) {
    const low =
      (byteAt(bytes, byte) |
        (byteAt(bytes, byte + 1) << 8) |
        (byteAt(bytes, byte + 2) << 16) |
        (byteAt(bytes, byte + 3) << 24)) >>>
      0;
    let high = 0;
    for (let place = 4; place < width; place += 1) {
      high |= byteAt(bytes, byte + place) << ((place - 4) * 8);
    }
    values[at] = least + (high * WORD + low);
  }
}

function readRaw(from: ByteReader, count: number): Float64Array {
  const bytes = from.view(count * RAW);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    values[at] = view.getFloat64(at * RAW, true);
  }
  requireSafe(values);
  return values;
}

function requireSafe(values: Float64Array): void {
  for (const value of values) {
    if (!Number.isSafeInteger(value)) {
      throw new CorruptDataError('an integer is beyond 2^53');
    }
  }
}

/** The number of bytes that a distance needs. */
function widthOf(distance: number): number {
  if (distance > Number.MAX_SAFE_INTEGER) {
    return RAW;
  }
  let width = 0;
  for (let rest = distance; rest >= 1; rest /= 256) {
    width += 1;
  }
  return width;
}

/** Collects rows and writes them column by column. */
export class Batch<Name extends string> {
  readonly #names: readonly Name[];
  /** The caller fills row `rows`. */
  readonly columns: Readonly<Record<Name, Float64Array>>;
  /** The caller increments it when a row is complete. */
  rows = 0;

  constructor(names: readonly Name[], room = BATCH_ROWS) {
    this.#names = names;
    this.columns = columnsOf(names, () => new Float64Array(room));
  }

  get isFull(): boolean {
    return this.rows === BATCH_ROWS;
  }

  /** Adds one row; for code that is not hot. */
  add(row: Readonly<Record<Name, number>>): void {
    for (const name of this.#names) {
      this.columns[name][this.rows] = row[name];
    }
    this.rows += 1;
  }

  /** Writes the number of rows and all columns, then starts again. */
  flush(to: ByteWriter): void {
    to.unsigned(this.rows);
    for (const name of this.#names) {
      writeColumn(to, this.columns[name], this.rows);
    }
    this.rows = 0;
  }
}

function columnsOf<Name extends string>(
  names: readonly Name[],
  column: () => Float64Array,
): Record<Name, Float64Array> {
  return Object.fromEntries(names.map((name) => [name, column()])) as Record<Name, Float64Array>;
}

/** Reads what `Batch.flush` wrote. @throws CorruptDataError */
export function readBatch<Name extends string>(
  from: ByteReader,
  names: readonly Name[],
): { rows: number; columns: Record<Name, Float64Array> } {
  const rows = from.unsigned();
  if (rows > BATCH_ROWS) {
    throw new CorruptDataError('a batch of rows is longer than any that is written');
  }
  return { rows, columns: columnsOf(names, () => readColumn(from, rows)) };
}
