// A set of file ids in typed arrays: 16 bytes per id and 4 to 8 for its hash slot, twice that just after it has grown.

import { byteAt, wordAt } from '../model/checked.ts';
import { ID_BYTES, type Id } from '../model/ids.ts';

const FIRST_ROWS = 16;

export class FileIdSet {
  /** In the order in which they were added. */
  #ids = new Uint8Array(FIRST_ROWS * ID_BYTES);
  /** Open addressing: row + 1 of the id, 0 for a free place. The size is a power of two; at most half is used. */
  #places = new Uint32Array(FIRST_ROWS * 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return this.#ids.byteLength + this.#places.byteLength;
  }

  has(id: Id): boolean {
    return this.#places[this.#find(id)] !== 0;
  }

  /** False: it was already there. */
  add(id: Id): boolean {
    if (this.has(id)) {
      return false;
    }
    if ((this.#size + 1) * ID_BYTES > this.#ids.length) {
      this.#grow();
    }
    this.#ids.set(id, this.#size * ID_BYTES);
    this.#size += 1;
    this.#places[this.#find(id)] = this.#size;
    return true;
  }

  *values(): Iterable<Id> {
    for (let row = 0; row < this.#size; row += 1) {
      yield this.#at(row);
    }
  }

  /** A set of these concatenated ids. */
  static of(ids: Uint8Array): FileIdSet {
    const set = new FileIdSet();
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      set.add(ids.subarray(at, at + ID_BYTES));
    }
    return set;
  }

  /** All ids, concatenated. A view of the set's memory, in which ids never change. */
  bytes(): Uint8Array {
    return this.#ids.subarray(0, this.#size * ID_BYTES);
  }

  /** The place of the id, or the free place where it would be inserted. */
  #find(id: Id): number {
    const mask = this.#places.length - 1;
    let place = hash(id) & mask;
    for (;;) {
      const row = wordAt(this.#places, place) - 1;
      if (row < 0 || this.#isAt(row, id)) {
        return place;
      }
      place = (place + 1) & mask;
    }
  }

  #at(row: number): Id {
    return this.#ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES);
  }

  #isAt(row: number, id: Id): boolean {
    const start = row * ID_BYTES;
    for (let at = ID_BYTES - 1; at >= 0; at -= 1) {
      if (this.#ids[start + at] !== id[at]) {
        return false;
      }
    }
    return true;
  }

  #grow(): void {
    const before = this.#ids;
    this.#ids = new Uint8Array(before.length * 2);
    this.#ids.set(before);
    this.#places = new Uint32Array(this.#places.length * 2);
    for (let row = 0; row < this.#size; row += 1) {
      this.#places[this.#find(this.#at(row))] = row + 1;
    }
  }
}

/** FNV-1a over the random half of a UUIDv7. */
function hash(id: Id): number {
  let value = 0x811c_9dc5;
  for (let at = ID_BYTES / 2; at < ID_BYTES; at += 1) {
    value = Math.imul(value ^ byteAt(id, at), 0x0100_0193);
  }
  return value ^ (value >>> 15);
}
