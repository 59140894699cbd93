// A partition's idempotent producers: the epoch of each, when it was last seen, and its last five batches. The rules are those of Kafka's
// ProducerStateManager / ProducerAppendInfo.
//
// Producers are stored without gaps in pages of 32 rows, one typed array each. A batch starts where the one before it ended, so a row holds
// one first sequence and five last ones. While a snapshot is in progress, pages that it reads are copied before they are changed.
import { assert, present } from '../model/assert.ts';
import { doubleAt, wordAt } from '../model/checked.ts';
import { REMEMBERED_BATCHES_PER_PRODUCER as WINDOW } from '../model/limits.ts';
import { createPartitionMemory, type PartitionMemory, PRODUCER_TABLE_BYTES } from './partition-memory.ts';
import { SlotIndex } from './slot-index.ts';
import { mixBits, readWide, reservedBytes, writeWide } from './words.ts';

/** Sequences are 31-bit and wrap from here to 0. */
const MAX_SEQUENCE = 0x7fff_ffff;

const PAGE_ROWS = 32;
const PAGE_SHIFT = 5;
const MIN_FIRST_PAGE_ROWS = 2;
const MIN_PAGE_ROWS = 8;
const GROWTH = 1.5;
/** Up to this many rows, scanning all of them is as fast as an index. */
const MAX_ROWS_WITHOUT_INDEX = 16;

/** Words before a page's rows: the capture that may still read it, and a lower bound of its rows' last-seen times. */
const EPOCH = 0;
const SEEN_SINCE = 1;
const HEAD = 3;

/** Words of a row: id, last seen, epoch, index of the oldest batch and number of batches, then the batches: a ring of five. */
const ROW = 22;
const ID = 0;
const LAST_SEEN = 2;
const PRODUCER_EPOCH = 4;
const OLDEST = 5;
const FIRST_SEQUENCE = 6;
const LAST_SEQUENCES = 7;
const BASE_OFFSETS = 12;
const COUNT_SHIFT = 8;

export interface RememberedBatch {
  firstSequence: number;
  lastSequence: number;
  baseOffset: number;
}

/** A complete producer, for snapshots and tests. */
export interface ProducerRecord {
  producerId: number;
  epoch: number;
  lastSeenMs: number;
  /** Oldest first; only of this epoch. */
  batches: RememberedBatch[];
}

/**
 * Producers by column, as in snapshots. Each batch has its number of records, and the difference of its base offset to the batch before.
 */
export interface ProducerColumns {
  producerId: Float64Array;
  epoch: Float64Array;
  lastSeenMs: Float64Array;
  batches: Float64Array;
  firstSequence: Float64Array;
  records: readonly Float64Array[];
  base: readonly Float64Array[];
}

/** The result of `judge` for a batch that is not a duplicate. For a duplicate it is the base offset assigned before, 0 or more. */
export const APPEND = -1;
export const OUT_OF_ORDER = -2;
export const FENCED = -3;

/** The table as it was when captured. */
export interface CapturedProducers {
  pages: readonly Uint32Array[];
  count: number;
}

/** The sequence of the last record of a batch. */
export function lastSequenceOf(firstSequence: number, records: number): number {
  const last = firstSequence + records - 1;
  return last > MAX_SEQUENCE ? last - MAX_SEQUENCE - 1 : last;
}

/** The number of records in a batch, from its first and last sequence. */
function recordsBetween(firstSequence: number, lastSequence: number): number {
  const records = lastSequence - firstSequence + 1;
  return records < 1 ? records + MAX_SEQUENCE + 1 : records;
}

function sequenceAfter(lastSequence: number): number {
  return lastSequence === MAX_SEQUENCE ? 0 : lastSequence + 1;
}

export class ProducerTable {
  #pages: Uint32Array[] = [];
  #count = 0;
  #index: SlotIndex | null = null;
  /** A lower bound of when any producer was last seen. */
  #seenSinceMs = Number.MAX_SAFE_INTEGER;
  #pageBytes = 0;
  #epoch = 0;
  #openCaptures = 0;
  readonly #account: PartitionMemory;
  /** The bytes that it has added to the account. */
  #counted = PRODUCER_TABLE_BYTES;

  /** @param account counts what it reserves */
  constructor(account = createPartitionMemory()) {
    this.#account = account;
    account.producers += PRODUCER_TABLE_BYTES;
  }

  get size(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    return this.#pageBytes + this.#pages.length * 8 + (this.#index?.memoryBytes ?? 0);
  }

  /** Takes it off the account: it is empty, or its partition is deleted. */
  discard(): void {
    this.#account.producers -= this.#counted;
    this.#account.producerCount -= this.#count;
    this.#counted = 0;
  }

  /** The row of a producer, or -1. Valid until the table is changed. */
  find(producerId: number): number {
    if (this.#index === null) {
      for (let row = 0; row < this.#count; row += 1) {
        if (this.#id(row) === producerId) {
          return row;
        }
      }
      return -1;
    }
    const hash = hashOf(producerId);
    for (let nth = 0; ; nth += 1) {
      const row = this.#index.find(hash, nth);
      if (row < 0 || this.#id(row) === producerId) {
        return row;
      }
    }
  }

  /**
   * Checks a batch against the producer in `row`. A producer that is not remembered (-1) may start anywhere here, because its state may
   * have expired. Returns APPEND, OUT_OF_ORDER, FENCED, or the base offset that the same batch got before.
   */
  judge(row: number, epoch: number, firstSequence: number, records: number): number {
    if (row < 0) {
      return APPEND;
    }
    const page = this.#pageOf(row);
    const at = rowAt(row);
    const known = wordAt(page, at + PRODUCER_EPOCH);
    if (epoch < known) {
      return FENCED;
    }
    if (epoch > known) {
      return firstSequence === 0 ? APPEND : OUT_OF_ORDER;
    }
    const lastSequence = lastSequenceOf(firstSequence, records);
    const count = wordAt(page, at + OLDEST) >>> COUNT_SHIFT;
    let place = wordAt(page, at + OLDEST) & 0xff;
    let first = wordAt(page, at + FIRST_SEQUENCE);
    for (let batch = 0; batch < count; batch += 1) {
      const last = wordAt(page, at + LAST_SEQUENCES + place);
      if (first === firstSequence && last === lastSequence) {
        return readWide(page, at + BASE_OFFSETS + place * 2);
      }
      first = sequenceAfter(last);
      place = place + 1 === WINDOW ? 0 : place + 1;
    }
    // Now `first` is where the next batch starts.
    return count === 0 || firstSequence === first ? APPEND : OUT_OF_ORDER;
  }

  /** Records an appended batch of the producer in `row` (-1: not known yet). `judge` must have returned APPEND. */
  remember(
    row: number,
    producerId: number,
    epoch: number,
    firstSequence: number,
    records: number,
    baseOffset: number,
    nowMs: number,
  ): void {
    const target = row < 0 ? this.#add(producerId) : row;
    const page = this.#ownPageOf(target);
    const at = rowAt(target);
    let oldest = wordAt(page, at + OLDEST) & 0xff;
    let count = wordAt(page, at + OLDEST) >>> COUNT_SHIFT;
    if (page[at + PRODUCER_EPOCH] !== epoch) {
      page[at + PRODUCER_EPOCH] = epoch;
      oldest = 0;
      count = 0;
    }
    if (count === 0) {
      page[at + FIRST_SEQUENCE] = firstSequence;
    } else if (count === WINDOW) {
      page[at + FIRST_SEQUENCE] = sequenceAfter(wordAt(page, at + LAST_SEQUENCES + oldest));
      oldest = oldest + 1 === WINDOW ? 0 : oldest + 1;
      count -= 1;
    }
    const place = (oldest + count) % WINDOW;
    page[at + LAST_SEQUENCES + place] = lastSequenceOf(firstSequence, records);
    writeWide(page, at + BASE_OFFSETS + place * 2, baseOffset);
    page[at + OLDEST] = oldest | ((count + 1) << COUNT_SHIFT);
    writeWide(page, at + LAST_SEEN, nowMs);
    this.#noteSeen(page, nowMs);
  }

  /**
   * Removes the producers last seen at or before `upToMs`. Visits only pages that may hold one. Returns how many.
   * @param spared ids of producers with an open transaction, which stay
   */
  expire(upToMs: number, spared?: ReadonlyMap<number, unknown>): number {
    if (this.#seenSinceMs > upToMs) {
      return 0;
    }
    const before = this.#count;
    let seenSinceMs = Number.MAX_SAFE_INTEGER;
    for (let number = 0; number < this.#pages.length; number += 1) {
      seenSinceMs = Math.min(seenSinceMs, this.#expireInPage(number, upToMs, spared));
    }
    this.#seenSinceMs = seenSinceMs;
    this.#noteReserved();
    return before - this.#count;
  }

  /** Whether `expire` may find producers. It may also find that there are none. */
  mayExpire(upToMs: number): boolean {
    return this.#seenSinceMs <= upToMs;
  }

  /** All producers, in snapshot order. */
  records(): Iterable<ProducerRecord> {
    return producersOf({ pages: this.#pages, count: this.#count });
  }

  /** Freezes the table as it is now until `release`, which every capture calls once. Costs a reference per page. */
  capture(): CapturedProducers {
    this.#openCaptures += 1;
    this.#epoch += 1;
    return { pages: this.#pages.slice(), count: this.#count };
  }

  /** One capture no longer reads its pages. */
  release(): void {
    assert(this.#openCaptures > 0, 'a capture is released once');
    this.#openCaptures -= 1;
  }

  /** Adds a producer from a snapshot. @throws InvariantError when the batches do not follow each other */
  restore({ producerId, epoch, lastSeenMs, batches }: ProducerRecord): void {
    assert(this.find(producerId) < 0, 'a producer is restored once');
    assert(batches.length <= WINDOW, 'a producer has five batches at most');
    const row = this.#add(producerId);
    const page = this.#ownPageOf(row);
    const at = rowAt(row);
    page[at + PRODUCER_EPOCH] = epoch;
    page[at + OLDEST] = batches.length << COUNT_SHIFT;
    page[at + FIRST_SEQUENCE] = batches[0]?.firstSequence ?? 0;
    let next = batches[0]?.firstSequence ?? 0;
    for (const [place, { firstSequence, lastSequence, baseOffset }] of batches.entries()) {
      assert(firstSequence === next, 'batches follow each other');
      page[at + LAST_SEQUENCES + place] = lastSequence;
      writeWide(page, at + BASE_OFFSETS + place * 2, baseOffset);
      next = sequenceAfter(lastSequence);
    }
    writeWide(page, at + LAST_SEEN, lastSeenMs);
    this.#noteSeen(page, lastSeenMs);
  }

  /** Adds the producer in one row of some columns. @throws InvariantError when it already exists, or has too many batches */
  restoreRow(columns: ProducerColumns, from: number): void {
    const producerId = doubleAt(columns.producerId, from);
    const count = doubleAt(columns.batches, from);
    assert(this.find(producerId) < 0, 'a producer is restored once');
    assert(count <= WINDOW, 'a producer has five batches at most');
    const row = this.#add(producerId);
    const page = this.#ownPageOf(row);
    const at = rowAt(row);
    page[at + PRODUCER_EPOCH] = doubleAt(columns.epoch, from);
    page[at + OLDEST] = count << COUNT_SHIFT;
    let first = doubleAt(columns.firstSequence, from);
    let baseOffset = 0;
    page[at + FIRST_SEQUENCE] = first;
    for (let batch = 0; batch < count; batch += 1) {
      const last = lastSequenceOf(first, doubleAt(present(columns.records[batch], 'column of records'), from));
      baseOffset += doubleAt(present(columns.base[batch], 'column of base offsets'), from);
      page[at + LAST_SEQUENCES + batch] = last;
      writeWide(page, at + BASE_OFFSETS + batch * 2, baseOffset);
      first = sequenceAfter(last);
    }
    const lastSeenMs = doubleAt(columns.lastSeenMs, from);
    writeWide(page, at + LAST_SEEN, lastSeenMs);
    this.#noteSeen(page, lastSeenMs);
  }

  #id(row: number): number {
    return readWide(this.#pageOf(row), rowAt(row) + ID);
  }

  #pageOf(row: number): Uint32Array {
    return present(this.#pages[row >>> PAGE_SHIFT], `page of producer row ${row}`);
  }

  /** Returns the page for changes: copies it first if a capture reads it. */
  #ownPageOf(row: number): Uint32Array {
    const page = this.#pageOf(row);
    if (this.#openCaptures === 0 || page[EPOCH] === this.#epoch) {
      return page;
    }
    const copy = page.slice();
    copy[EPOCH] = this.#epoch;
    this.#pages[row >>> PAGE_SHIFT] = copy;
    return copy;
  }

  /** A lower bound stays valid when a producer is seen later than before. */
  #noteSeen(page: Uint32Array, timeMs: number): void {
    if (timeMs < readWide(page, SEEN_SINCE)) {
      writeWide(page, SEEN_SINCE, timeMs);
    }
    this.#seenSinceMs = Math.min(this.#seenSinceMs, timeMs);
  }

  #add(producerId: number): number {
    const row = this.#count;
    const page = this.#makeRoom(row);
    const at = rowAt(row);
    page.fill(0, at, at + ROW);
    writeWide(page, at + ID, producerId);
    this.#count += 1;
    this.#account.producerCount += 1;
    if (this.#index !== null) {
      this.#index.add(hashOf(producerId), row);
    } else if (this.#count > MAX_ROWS_WITHOUT_INDEX) {
      this.#index = new SlotIndex();
      for (let each = 0; each < this.#count; each += 1) {
        this.#index.add(hashOf(this.#id(each)), each);
      }
    }
    this.#noteReserved();
    return row;
  }

  #noteReserved(): void {
    const reserved = PRODUCER_TABLE_BYTES + this.memoryBytes;
    this.#account.producers += reserved - this.#counted;
    this.#counted = reserved;
  }

  /** Returns the page of a row that is about to be added at the end, with room for it. */
  #makeRoom(row: number): Uint32Array {
    const number = row >>> PAGE_SHIFT;
    const page = this.#pages[number];
    const inPage = row & (PAGE_ROWS - 1);
    if (page !== undefined && HEAD + inPage * ROW < page.length) {
      return this.#ownPageOf(row);
    }
    const smallest = number === 0 ? MIN_FIRST_PAGE_ROWS : MIN_PAGE_ROWS;
    const grown = newPage(Math.min(PAGE_ROWS, Math.max(smallest, Math.ceil(inPage * GROWTH))), page);
    this.#put(number, grown);
    return grown;
  }

  #put(number: number, page: Uint32Array): void {
    const before = this.#pages[number];
    this.#pageBytes += reservedBytes(page) - (before === undefined ? 0 : reservedBytes(before));
    page[EPOCH] = this.#epoch;
    this.#pages[number] = page;
  }

  /** Returns a lower bound of the last-seen times of the producers left in the page. */
  #expireInPage(number: number, upToMs: number, spared?: ReadonlyMap<number, unknown>): number {
    const seenSinceMs = readWide(present(this.#pages[number], `page ${number} of producers`), SEEN_SINCE);
    if (seenSinceMs > upToMs) {
      return seenSinceMs;
    }
    let oldestMs = Number.MAX_SAFE_INTEGER;
    for (let row = number << PAGE_SHIFT; row < this.#count && row >>> PAGE_SHIFT === number; ) {
      const lastSeenMs = readWide(this.#pageOf(row), rowAt(row) + LAST_SEEN);
      if (lastSeenMs <= upToMs && spared?.has(this.#id(row)) !== true) {
        // The table's last producer moves here, and is checked next.
        this.#remove(row);
      } else {
        oldestMs = Math.min(oldestMs, lastSeenMs);
        row += 1;
      }
    }
    const page = this.#pages[number];
    if (page !== undefined) {
      // Not part of what a capture reads.
      writeWide(page, SEEN_SINCE, oldestMs);
    }
    return oldestMs;
  }

  #remove(row: number): void {
    const last = this.#count - 1;
    this.#index?.remove(hashOf(this.#id(row)), row);
    if (row !== last) {
      this.#index?.move(hashOf(this.#id(last)), last, row);
      const from = rowAt(last);
      this.#ownPageOf(row).set(this.#pageOf(last).subarray(from, from + ROW), rowAt(row));
    }
    this.#count = last;
    this.#account.producerCount -= 1;
    if (this.#index !== null && last <= MAX_ROWS_WITHOUT_INDEX / 2) {
      this.#index = null;
    }
    this.#giveBack();
  }

  /** Shrinks the last page with its rows. */
  #giveBack(): void {
    const number = this.#pages.length - 1;
    const page = present(this.#pages[number], 'last page of producers');
    const rows = this.#count - (number << PAGE_SHIFT);
    const room = (page.length - HEAD) / ROW;
    if (rows === 0) {
      this.#pageBytes -= reservedBytes(page);
      this.#pages.pop();
    } else if (room > MIN_PAGE_ROWS && rows * 3 < room) {
      this.#put(number, newPage(Math.max(MIN_PAGE_ROWS, Math.ceil(rows * GROWTH)), page));
    }
  }
}

/** The producers of a captured table, in the order of their rows. */
export function* producersOf({ pages, count }: CapturedProducers): Iterable<ProducerRecord> {
  for (let row = 0; row < count; row += 1) {
    const page = present(pages[row >>> PAGE_SHIFT], `page of producer row ${row}`);
    const at = rowAt(row);
    const batches: RememberedBatch[] = [];
    let place = wordAt(page, at + OLDEST) & 0xff;
    let firstSequence = wordAt(page, at + FIRST_SEQUENCE);
    for (let left = wordAt(page, at + OLDEST) >>> COUNT_SHIFT; left > 0; left -= 1) {
      const lastSequence = wordAt(page, at + LAST_SEQUENCES + place);
      batches.push({ firstSequence, lastSequence, baseOffset: readWide(page, at + BASE_OFFSETS + place * 2) });
      firstSequence = sequenceAfter(lastSequence);
      place = place + 1 === WINDOW ? 0 : place + 1;
    }
    yield {
      producerId: readWide(page, at + ID),
      epoch: wordAt(page, at + PRODUCER_EPOCH),
      lastSeenMs: readWide(page, at + LAST_SEEN),
      batches,
    };
  }
}

/** Copies one row of a captured table to row `to` of some columns. */
export function gatherProducer({ pages }: CapturedProducers, row: number, columns: ProducerColumns, to: number): void {
  const page = present(pages[row >>> PAGE_SHIFT], `page of producer row ${row}`);
  const at = rowAt(row);
  const count = wordAt(page, at + OLDEST) >>> COUNT_SHIFT;
  let place = wordAt(page, at + OLDEST) & 0xff;
  let first = wordAt(page, at + FIRST_SEQUENCE);
  let before = 0;
  columns.producerId[to] = readWide(page, at + ID);
  columns.epoch[to] = wordAt(page, at + PRODUCER_EPOCH);
  columns.lastSeenMs[to] = readWide(page, at + LAST_SEEN);
  columns.batches[to] = count;
  columns.firstSequence[to] = first;
  for (let batch = 0; batch < WINDOW; batch += 1) {
    const records = columns.records[batch];
    const base = columns.base[batch];
    if (records === undefined || base === undefined) {
      break;
    }
    if (batch >= count) {
      records[to] = 0;
      base[to] = 0;
      continue;
    }
    const last = wordAt(page, at + LAST_SEQUENCES + place);
    const baseOffset = readWide(page, at + BASE_OFFSETS + place * 2);
    records[to] = recordsBetween(first, last);
    base[to] = baseOffset - before;
    before = baseOffset;
    first = sequenceAfter(last);
    place = place + 1 === WINDOW ? 0 : place + 1;
  }
}

/** A page with room for some rows, and a copy of another page's rows as far as they fit. */
function newPage(rows: number, from?: Uint32Array): Uint32Array {
  const page = new Uint32Array(HEAD + rows * ROW);
  if (from === undefined) {
    writeWide(page, SEEN_SINCE, Number.MAX_SAFE_INTEGER);
  } else {
    page.set(from.subarray(0, page.length));
  }
  return page;
}

function rowAt(row: number): number {
  return HEAD + (row & (PAGE_ROWS - 1)) * ROW;
}

function hashOf(producerId: number): number {
  return mixBits((producerId % 0x1_0000_0000) ^ mixBits(Math.floor(producerId / 0x1_0000_0000)));
}
