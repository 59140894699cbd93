// The index of one partition's runs in two typed arrays: a run's numbers lie together, so that adding one touches two places in memory
// and not six. Runs are in offset order, without gap: a run ends where the next begins, the last at the partition's high watermark.
// Rows are addressed from 0 = the oldest that is left.
import { assert } from '../assert.ts';

const INITIAL_ROWS = 8;

/** Numbers of a row that need 64 bits: base offset, largest timestamp of the run, largest timestamp of this run and all before. */
const WIDE = 3;
const MAX_TIMESTAMP = 1;
/** Monotone, hence searchable; counts runs that were dropped since. */
const RUNNING_MAX = 2;

/** Numbers of a row that need 32 bits: slot in the file table, position in the file, bytes. */
const NARROW = 3;
const POSITION = 1;
const BYTES = 2;

export class RunIndex {
  #head = 0;
  #tail = 0;
  #wide = new Float64Array(INITIAL_ROWS * WIDE);
  #narrow = new Uint32Array(INITIAL_ROWS * NARROW);

  get length(): number {
    return this.#tail - this.#head;
  }

  /** Adds the newest run. `file` is its slot in the file table. */
  append(baseOffset: number, file: number, position: number, bytes: number, maxTimestampMs: number): void {
    if (this.#tail * WIDE === this.#wide.length) {
      this.#makeRoom();
    }
    const wide = this.#wide;
    const narrow = this.#narrow;
    const at = this.#tail * WIDE;
    const before = this.#tail > this.#head ? (wide[at - WIDE + RUNNING_MAX] ?? 0) : Number.NEGATIVE_INFINITY;
    wide[at] = baseOffset;
    wide[at + MAX_TIMESTAMP] = maxTimestampMs;
    wide[at + RUNNING_MAX] = Math.max(maxTimestampMs, before);
    const narrowAt = this.#tail * NARROW;
    narrow[narrowAt] = file;
    narrow[narrowAt + POSITION] = position;
    narrow[narrowAt + BYTES] = bytes;
    this.#tail += 1;
  }

  baseOffset(row: number): number {
    return this.#wide[this.#at(row) * WIDE] ?? 0;
  }
  maxTimestampMs(row: number): number {
    return this.#wide[this.#at(row) * WIDE + MAX_TIMESTAMP] ?? 0;
  }
  file(row: number): number {
    return this.#narrow[this.#at(row) * NARROW] ?? 0;
  }
  position(row: number): number {
    return this.#narrow[this.#at(row) * NARROW + POSITION] ?? 0;
  }
  bytes(row: number): number {
    return this.#narrow[this.#at(row) * NARROW + BYTES] ?? 0;
  }

  /** The row of the run that holds `offset`, given that first base offset <= offset < high watermark; -1 if it is before all. */
  rowOfOffset(offset: number): number {
    let low = this.#head;
    let high = this.#tail;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#wide[middle * WIDE] ?? 0) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1 - this.#head;
  }

  /** The oldest row whose largest timestamp is at least `timestampMs`, or -1. */
  rowOfTimestamp(timestampMs: number): number {
    let low = this.#head;
    let high = this.#tail;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#wide[middle * WIDE + RUNNING_MAX] ?? 0) < timestampMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // The running maximum may stem from a run that was dropped since: go on to one that has it itself.
    while (low < this.#tail && (this.#wide[low * WIDE + MAX_TIMESTAMP] ?? 0) < timestampMs) {
      low += 1;
    }
    return low < this.#tail ? low - this.#head : -1;
  }

  /** The oldest row that holds the largest timestamp of all rows left, or -1 when there are none. */
  rowOfMaxTimestamp(): number {
    if (this.length === 0) {
      return -1;
    }
    const candidate = this.rowOfTimestamp(this.#wide[(this.#tail - 1) * WIDE + RUNNING_MAX] ?? 0);
    if (candidate >= 0) {
      return candidate;
    }
    let best = 0;
    for (let row = 1; row < this.length; row += 1) {
      if (this.maxTimestampMs(row) > this.maxTimestampMs(best)) {
        best = row;
      }
    }
    return best;
  }

  /** Forgets the oldest `count` runs. Amortized O(1) per run. */
  dropFront(count: number): void {
    assert(count >= 0 && count <= this.length, 'runs to drop exist');
    this.#head += count;
    if (this.#head === this.#tail) {
      this.#head = 0;
      this.#tail = 0;
    }
  }

  #at(row: number): number {
    const at = this.#head + row;
    assert(row >= 0 && at < this.#tail, 'row of the run index exists');
    return at;
  }

  /** Moves the rows to the front when at least half of the room lies there unused, else doubles the room. */
  #makeRoom(): void {
    const { length } = this;
    const rows = this.#head >= this.#tail / 2 ? this.#tail : this.#tail * 2;
    const wide = new Float64Array(rows * WIDE);
    const narrow = new Uint32Array(rows * NARROW);
    wide.set(this.#wide.subarray(this.#head * WIDE, this.#tail * WIDE));
    narrow.set(this.#narrow.subarray(this.#head * NARROW, this.#tail * NARROW));
    this.#wide = wide;
    this.#narrow = narrow;
    this.#head = 0;
    this.#tail = length;
  }
}
