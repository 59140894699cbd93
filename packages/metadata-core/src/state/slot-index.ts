// Finds slots by a hash of their contents, without an object or string per slot. Extendible hashing: a directory of small open-addressing
// segments, selected by the top bits of the hash. A full segment splits in two and two sparse neighbours are merged, so no call moves more
// than a segment, however large the index is.
import { assert } from '../model/assert.ts';
import { wordAt } from '../model/checked.ts';
import { reservedBytes } from './words.ts';

/** Words before a segment's entries: the number of hash bits that its entries share, and the number of its entries. */
const HEAD = 2;
const COUNT = 1;
/** Words of an entry: the hash, and the slot plus 1 (0: no entry). */
const ENTRY = 2;

const MIN_CAPACITY = 8;
/** A segment with more entries is split. */
const MAX_ENTRIES = 512;
const MAX_LOAD = 0.8;
const MIN_LOAD = 0.4;
const FRESH_LOAD = 0.65;
/** Two neighbours with at most this many entries together are merged. */
const MERGED_ENTRIES = 192;
/** Beyond this many shared bits, a segment is not split: it grows instead. */
const MAX_DEPTH = 22;

export class SlotIndex {
  /** Segments by the first `#depth` bits of the hash. A segment with fewer bits is in several places. */
  #directory: Uint32Array[] = [newSegment(0, MIN_CAPACITY)];
  #depth = 0;
  #size = 0;
  #segmentBytes = reservedBytes(this.#segmentAt(0));

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return this.#segmentBytes + this.#directory.length * 8;
  }

  /** The slot that was added under this hash, or -1. `nth` skips that many matches, because different contents may have the same hash. */
  find(hash: number, nth = 0): number {
    const segment = this.#segmentAt(this.#placeOf(hash));
    const capacity = capacityOf(segment);
    let left = nth;
    for (let at = homeOf(hash, capacity); ; at = at + 1 === capacity ? 0 : at + 1) {
      const slot = wordAt(segment, HEAD + at * ENTRY + 1);
      if (slot === 0) {
        return -1;
      }
      if (segment[HEAD + at * ENTRY] === hash) {
        if (left === 0) {
          return slot - 1;
        }
        left -= 1;
      }
    }
  }

  /** @param hash 0 to 2^32 - 1 */
  add(hash: number, slot: number): void {
    let place = this.#placeOf(hash);
    let segment = this.#segmentAt(place);
    while (wordAt(segment, COUNT) + 1 > capacityOf(segment) * MAX_LOAD) {
      if (wordAt(segment, COUNT) >= MAX_ENTRIES && wordAt(segment, 0) < MAX_DEPTH) {
        this.#split(place);
        place = this.#placeOf(hash);
      } else {
        this.#replace(place, resized(segment, wordAt(segment, COUNT) + 1));
      }
      segment = this.#segmentAt(place);
    }
    insert(segment, hash, slot + 1);
    this.#size += 1;
  }

  /** Records that a slot has moved from `from` to `to`. */
  move(hash: number, from: number, to: number): void {
    const segment = this.#segmentAt(this.#placeOf(hash));
    segment[HEAD + entryOf(segment, hash, from) * ENTRY + 1] = to + 1;
  }

  remove(hash: number, slot: number): void {
    const place = this.#placeOf(hash);
    const segment = this.#segmentAt(place);
    closeGap(segment, entryOf(segment, hash, slot));
    const count = wordAt(segment, COUNT) - 1;
    segment[COUNT] = count;
    this.#size -= 1;
    const capacity = capacityOf(segment);
    if (count <= MERGED_ENTRIES / 2 && this.#merge(place)) {
      while (this.#merge(place)) {
        // Its neighbours may now be sparse enough to be merged with this one.
      }
      return;
    }
    if (capacity > MIN_CAPACITY && count < capacity * MIN_LOAD) {
      this.#replace(place, resized(segment, count));
    }
  }

  #placeOf(hash: number): number {
    return this.#depth === 0 ? 0 : hash >>> (32 - this.#depth);
  }

  #segmentAt(place: number): Uint32Array {
    const segment = this.#directory[place];
    assert(segment !== undefined, 'every hash has a segment');
    return segment;
  }

  /** Replaces the segment at `place` in all its places. */
  #replace(place: number, segment: Uint32Array): void {
    const old = this.#segmentAt(place);
    this.#segmentBytes += reservedBytes(segment) - reservedBytes(old);
    this.#fill(place, wordAt(old, 0), segment);
  }

  /** Puts a segment in all places that share the first `depth` bits of `place`. */
  #fill(place: number, depth: number, segment: Uint32Array): void {
    const shift = this.#depth - depth;
    const first = (place >>> shift) << shift;
    this.#directory.fill(segment, first, first + (1 << shift));
  }

  #split(place: number): void {
    const old = this.#segmentAt(place);
    const depth = wordAt(old, 0) + 1;
    let at = place;
    if (depth > this.#depth) {
      this.#directory = this.#directory.flatMap((segment) => [segment, segment]);
      this.#depth += 1;
      at *= 2;
    }
    const bit = 32 - depth;
    const entries = capacityOf(old);
    let upper = 0;
    for (let entry = 0; entry < entries; entry += 1) {
      const taken = wordAt(old, HEAD + entry * ENTRY + 1) !== 0;
      upper += taken && ((wordAt(old, HEAD + entry * ENTRY) >>> bit) & 1) === 1 ? 1 : 0;
    }
    const halves = [newSegment(depth, roomFor(wordAt(old, COUNT) - upper)), newSegment(depth, roomFor(upper))] as const;
    for (let entry = 0; entry < entries; entry += 1) {
      const hash = wordAt(old, HEAD + entry * ENTRY);
      const slot = wordAt(old, HEAD + entry * ENTRY + 1);
      if (slot !== 0) {
        insert(halves[(hash >>> bit) & 1 ? 1 : 0], hash, slot);
      }
    }
    const shift = this.#depth - depth;
    const first = ((at >>> (shift + 1)) << (shift + 1)) >>> 0;
    this.#fill(first, depth, halves[0]);
    this.#fill(first + (1 << shift), depth, halves[1]);
    this.#segmentBytes += reservedBytes(halves[0]) + reservedBytes(halves[1]) - reservedBytes(old);
  }

  /** Merges this segment with the one that it was split from, if they are sparse. */
  #merge(place: number): boolean {
    const segment = this.#segmentAt(place);
    const depth = wordAt(segment, 0);
    if (depth === 0) {
      return false;
    }
    const shift = this.#depth - depth;
    const twin = this.#segmentAt(((place >>> shift) ^ 1) << shift);
    const count = wordAt(segment, COUNT) + wordAt(twin, COUNT);
    if (twin[0] !== depth || count > MERGED_ENTRIES) {
      return false;
    }
    const merged = newSegment(depth - 1, roomFor(count));
    copyEntries(segment, merged);
    copyEntries(twin, merged);
    this.#fill(place, depth - 1, merged);
    this.#segmentBytes += reservedBytes(merged) - reservedBytes(segment) - reservedBytes(twin);
    return true;
  }
}

function newSegment(depth: number, capacity: number): Uint32Array {
  const segment = new Uint32Array(HEAD + capacity * ENTRY);
  segment[0] = depth;
  return segment;
}

function roomFor(count: number): number {
  return Math.max(MIN_CAPACITY, Math.ceil(count / FRESH_LOAD));
}

function resized(segment: Uint32Array, count: number): Uint32Array {
  const copy = newSegment(wordAt(segment, 0), roomFor(count));
  copyEntries(segment, copy);
  return copy;
}

function copyEntries(from: Uint32Array, to: Uint32Array): void {
  for (let at = HEAD; at < from.length; at += ENTRY) {
    const slot = wordAt(from, at + 1);
    if (slot !== 0) {
      insert(to, wordAt(from, at), slot);
    }
  }
}

function capacityOf(segment: Uint32Array): number {
  return (segment.length - HEAD) / ENTRY;
}

/** The preferred position of an entry. The top bits of the hash select the segment, so the hash is mixed again. */
function homeOf(hash: number, capacity: number): number {
  return Math.floor(((Math.imul(hash, 0x9e37_79b1) >>> 0) / 0x1_0000_0000) * capacity);
}

function insert(segment: Uint32Array, hash: number, slotPlusOne: number): void {
  const capacity = capacityOf(segment);
  let at = homeOf(hash, capacity);
  while (wordAt(segment, HEAD + at * ENTRY + 1) !== 0) {
    at = at + 1 === capacity ? 0 : at + 1;
  }
  segment[HEAD + at * ENTRY] = hash;
  segment[HEAD + at * ENTRY + 1] = slotPlusOne;
  segment[COUNT] = wordAt(segment, COUNT) + 1;
}

function entryOf(segment: Uint32Array, hash: number, slot: number): number {
  const capacity = capacityOf(segment);
  let at = homeOf(hash, capacity);
  while (segment[HEAD + at * ENTRY] !== hash || segment[HEAD + at * ENTRY + 1] !== slot + 1) {
    assert(wordAt(segment, HEAD + at * ENTRY + 1) !== 0, 'the slot is in the index');
    at = at + 1 === capacity ? 0 : at + 1;
  }
  return at;
}

/** Removes an entry and moves the following ones back, so that they can be found without a tombstone. */
function closeGap(segment: Uint32Array, entry: number): void {
  const capacity = capacityOf(segment);
  let gap = entry;
  let at = entry;
  for (;;) {
    at = at + 1 === capacity ? 0 : at + 1;
    const slot = wordAt(segment, HEAD + at * ENTRY + 1);
    if (slot === 0) {
      break;
    }
    const hash = wordAt(segment, HEAD + at * ENTRY);
    const distance = (at - homeOf(hash, capacity) + capacity) % capacity;
    if (distance >= (at - gap + capacity) % capacity) {
      segment[HEAD + gap * ENTRY] = hash;
      segment[HEAD + gap * ENTRY + 1] = slot;
      gap = at;
    }
  }
  segment[HEAD + gap * ENTRY] = 0;
  segment[HEAD + gap * ENTRY + 1] = 0;
}
