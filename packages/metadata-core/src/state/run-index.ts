// The index of one partition's runs, as a struct of arrays. Runs are in offset order, without gap: a run ends where the next
// begins, the last at the partition's high watermark. Rows are addressed from 0 = the oldest that is left.
import { assert } from '../assert.ts';

const INITIAL_CAPACITY = 8;

export class RunIndex {
  #head = 0;
  #tail = 0;
  #baseOffset = new Float64Array(INITIAL_CAPACITY);
  #file = new Uint32Array(INITIAL_CAPACITY);
  #position = new Uint32Array(INITIAL_CAPACITY);
  #bytes = new Uint32Array(INITIAL_CAPACITY);
  #maxTimestampMs = new Float64Array(INITIAL_CAPACITY);
  /** Largest timestamp of this run and all before it (dropped ones included): monotone, hence searchable. */
  #runningMaxMs = new Float64Array(INITIAL_CAPACITY);

  get length(): number {
    return this.#tail - this.#head;
  }

  /** Adds the newest run. `file` is its slot in the file table. */
  append(baseOffset: number, file: number, position: number, bytes: number, maxTimestampMs: number): void {
    if (this.#tail === this.#baseOffset.length) {
      this.#makeRoom();
    }
    const at = this.#tail;
    const before = at > this.#head ? (this.#runningMaxMs[at - 1] ?? 0) : Number.NEGATIVE_INFINITY;
    this.#baseOffset[at] = baseOffset;
    this.#file[at] = file;
    this.#position[at] = position;
    this.#bytes[at] = bytes;
    this.#maxTimestampMs[at] = maxTimestampMs;
    this.#runningMaxMs[at] = Math.max(maxTimestampMs, before);
    this.#tail = at + 1;
  }

  baseOffset(row: number): number {
    return this.#baseOffset[this.#at(row)] ?? 0;
  }
  file(row: number): number {
    return this.#file[this.#at(row)] ?? 0;
  }
  position(row: number): number {
    return this.#position[this.#at(row)] ?? 0;
  }
  bytes(row: number): number {
    return this.#bytes[this.#at(row)] ?? 0;
  }
  maxTimestampMs(row: number): number {
    return this.#maxTimestampMs[this.#at(row)] ?? 0;
  }

  /** The row of the run that holds `offset`, given that first base offset <= offset < high watermark; -1 if it is before all. */
  rowOfOffset(offset: number): number {
    let low = this.#head;
    let high = this.#tail;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#baseOffset[middle] ?? 0) <= offset) {
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
      if ((this.#runningMaxMs[middle] ?? 0) < timestampMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    // The running maximum may stem from a run that was dropped since: go on to one that has it itself.
    while (low < this.#tail && (this.#maxTimestampMs[low] ?? 0) < timestampMs) {
      low += 1;
    }
    return low < this.#tail ? low - this.#head : -1;
  }

  /** The oldest row that holds the largest timestamp of all rows left, or -1 when there are none. */
  rowOfMaxTimestamp(): number {
    if (this.length === 0) {
      return -1;
    }
    const candidate = this.rowOfTimestamp(this.#runningMaxMs[this.#tail - 1] ?? 0);
    if (candidate >= 0) {
      return candidate;
    }
    let best = this.#head;
    for (let at = this.#head + 1; at < this.#tail; at += 1) {
      if ((this.#maxTimestampMs[at] ?? 0) > (this.#maxTimestampMs[best] ?? 0)) {
        best = at;
      }
    }
    return best - this.#head;
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
    const capacity = this.#head >= this.#tail / 2 ? this.#baseOffset.length : this.#baseOffset.length * 2;
    this.#baseOffset = this.#moved(this.#baseOffset, new Float64Array(capacity));
    this.#file = this.#moved(this.#file, new Uint32Array(capacity));
    this.#position = this.#moved(this.#position, new Uint32Array(capacity));
    this.#bytes = this.#moved(this.#bytes, new Uint32Array(capacity));
    this.#maxTimestampMs = this.#moved(this.#maxTimestampMs, new Float64Array(capacity));
    this.#runningMaxMs = this.#moved(this.#runningMaxMs, new Float64Array(capacity));
    this.#head = 0;
    this.#tail = length;
  }

  #moved<T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(from: T, to: T): T {
    to.set(from.subarray(this.#head, this.#tail));
    return to;
  }
}
