// The data files that the cluster knows. The run index refers to a file by its slot, a small number that is reused after the file is
// removed: a new file gets the lowest free one. A file without runs is queued for deletion; it stays known until an agent confirms that its
// object is deleted.
//
// Slots are in pages of 256 rows, one typed array each. A page without files frees its memory. While a snapshot is in progress, pages that
// it still reads are copied before they are changed.

import { assert, present } from '../model/assert.ts';
import { byteAt, wordAt } from '../model/checked.ts';
import { ID_BYTES, type Id } from '../model/ids.ts';
import { DELETION_GRACE_MS, DELETION_LEASE_MS } from '../model/limits.ts';
import type { FileLevel } from '../model/run.types.ts';
import { SlotIndex } from './slot-index.ts';
import { mixBits, readWide, reservedBytes, writeWide } from './words.ts';

export interface FileRecord {
  id: Id;
  bytes: number;
  committedAtMs: number;
  level: FileLevel;
  /** Live runs in this file, and their bytes. */
  liveRuns: number;
  liveBytes: number;
}

/** A file that is queued for deletion, with the time at which its last run was removed, or at which its lease ends. */
export interface QueuedFile {
  slot: number;
  timeMs: number;
}

export const PAGE_SLOTS = 256;
const PAGE_SHIFT = 8;
const MIN_PAGE_SLOTS = 8;

/** Words before a page's rows: which slots are used, one bit each; how many; the capture that may still read the page. */
const USED = 0;
const USED_COUNT = 8;
const EPOCH = 9;
const HEAD = 10;

/**
 * Words of a row: id, size, commit time, live runs, their bytes; the file's level and queue; then, for a dead file, its neighbours in the
 * queue and its time.
 */
const ROW = 14;
const ID = 0;
const FILE_BYTES = 4;
const COMMITTED_AT = 5;
const LIVE_RUNS = 7;
const LIVE_BYTES = 8;
const LEVEL_AND_QUEUE = 9;
const NEXT = 10;
const PREVIOUS = 11;
const QUEUED_AT = 12;

/** The lower bits of their word are the queue. */
const LEVEL_SHIFT = 2;
const QUEUE_MASK = (1 << LEVEL_SHIFT) - 1;

const NO_QUEUE = 0;
const WAITING = 1;
const LEASED = 2;
const NO_SLOT = 0xffff_ffff;

/** One of the two queues of dead files: a linked list through their rows. */
interface Queue {
  readonly kind: typeof WAITING | typeof LEASED;
  first: number;
  last: number;
  size: number;
}

/** The table as it was when captured; read it with `capturedFile` and `capturedQueue`. */
export interface CapturedFiles {
  /** Undefined: no slot of the page is used. */
  pages: readonly (Uint32Array | undefined)[];
  waiting: Readonly<Queue>;
  leased: Readonly<Queue>;
}

export class FileTable {
  #pages: (Uint32Array | undefined)[] = [];
  /** One bit per page: whether all its 256 slots are used. */
  #full = new Uint32Array(1);
  #index = new SlotIndex();
  #waiting: Queue = emptyQueue(WAITING);
  #leased: Queue = emptyQueue(LEASED);
  #epoch = 0;
  #openCaptures = 0;
  #pageBytes = 0;

  /** The number of known files, including those queued for deletion. */
  get size(): number {
    return this.#index.size;
  }

  /** The number of files queued for deletion. */
  get dead(): number {
    return this.#waiting.size + this.#leased.size;
  }

  get memoryBytes(): number {
    return this.#pageBytes + this.#pages.length * 8 + this.#index.memoryBytes;
  }

  /** One more than the highest slot that may be used. */
  get slotLimit(): number {
    return this.#pages.length << PAGE_SHIFT;
  }

  knows(id: Id): boolean {
    return this.#slotOf(id) >= 0;
  }

  id(slot: number): Id {
    return readId(this.#pageOf(slot), rowAt(slot));
  }
  bytes(slot: number): number {
    return wordAt(this.#pageOf(slot), rowAt(slot) + FILE_BYTES);
  }
  /** The number of runs that partitions have in the file. */
  liveRuns(slot: number): number {
    return wordAt(this.#pageOf(slot), rowAt(slot) + LIVE_RUNS);
  }
  committedAtMs(slot: number): number {
    return readWide(this.#pageOf(slot), rowAt(slot) + COMMITTED_AT);
  }

  level(slot: number): FileLevel {
    return levelOf(this.#pageOf(slot), rowAt(slot));
  }

  /** The slot of the file with this id. Undefined when it is unknown. */
  slotOf(id: Id): number | undefined {
    const slot = this.#slotOf(id);
    return slot < 0 ? undefined : slot;
  }

  /**
   * Adds a file without runs. Then add its runs with `addRun` and call `settle`.
   * @param committedAtMs for a merged file, when the newest of its records were committed
   */
  add(id: Id, bytes: number, committedAtMs: number, level: FileLevel = 0): number {
    assert(!this.knows(id), 'a file is added once');
    const slot = this.#lowestFreeSlot();
    assert(!this.#isUsed(slot), 'a slot holds one file');
    this.#place(slot, { id, bytes, committedAtMs, level });
    return slot;
  }

  addRun(slot: number, bytes: number): void {
    const page = this.#ownPageOf(slot);
    const at = rowAt(slot);
    page[at + LIVE_RUNS] = wordAt(page, at + LIVE_RUNS) + 1;
    page[at + LIVE_BYTES] = wordAt(page, at + LIVE_BYTES) + bytes;
  }

  /** Call after adding a file's runs: a file without any is dead from the start. */
  settle(slot: number, nowMs: number): void {
    if (this.#pageOf(slot)[rowAt(slot) + LIVE_RUNS] === 0) {
      this.#enqueue(this.#waiting, slot, nowMs);
    }
  }

  /** Call when a run of this file has left the index. */
  dropRun(slot: number, bytes: number, nowMs: number): void {
    const page = this.#ownPageOf(slot);
    const at = rowAt(slot);
    const runs = wordAt(page, at + LIVE_RUNS) - 1;
    const liveBytes = wordAt(page, at + LIVE_BYTES) - bytes;
    assert(runs >= 0 && liveBytes >= 0, 'a dropped run was counted');
    page[at + LIVE_RUNS] = runs;
    page[at + LIVE_BYTES] = liveBytes;
    if (runs === 0) {
      this.#enqueue(this.#waiting, slot, nowMs);
    }
  }

  /** Leases dead files: first those whose lease has expired, then those past the grace period, oldest first. */
  take(maxFiles: number, nowMs: number): Id[] {
    const slots: number[] = [];
    for (const { slot, timeMs: leaseUntilMs } of queuedFiles(this.#pages, this.#leased)) {
      if (slots.length >= maxFiles || leaseUntilMs > nowMs) {
        break;
      }
      slots.push(slot);
    }
    for (const { slot, timeMs: deadSinceMs } of queuedFiles(this.#pages, this.#waiting)) {
      if (slots.length >= maxFiles || deadSinceMs + DELETION_GRACE_MS > nowMs) {
        break;
      }
      slots.push(slot);
    }
    for (const slot of slots) {
      this.#dequeue(slot);
      this.#enqueue(this.#leased, slot, nowMs + DELETION_LEASE_MS);
    }
    return slots.map((slot) => this.id(slot));
  }

  /** Later times came from a clock that was ahead: dead files wait no longer than others that die now. */
  setClockBack(nowMs: number): void {
    this.#limitTimes(this.#waiting, nowMs);
    this.#limitTimes(this.#leased, nowMs + DELETION_LEASE_MS);
  }

  /** Removes a dead file. False when the file is unknown or live: then nothing changed. */
  forget(id: Id): boolean {
    const slot = this.#slotOf(id);
    if (slot < 0 || queueOf(this.#pageOf(slot), rowAt(slot)) === NO_QUEUE) {
      return false;
    }
    this.#dequeue(slot);
    this.#index.remove(hashOf(id), slot);
    this.#free(slot);
    return true;
  }

  /** All files by slot, for tests. */
  *files(): Iterable<[slot: number, file: FileRecord]> {
    for (const [number, page] of this.#pages.entries()) {
      yield* filesOfPage(number, page);
    }
  }

  /** Dead files that wait to be leased, and leased ones; oldest first. */
  queues(): { waiting: QueuedFile[]; leased: QueuedFile[] } {
    return {
      waiting: [...queuedFiles(this.#pages, this.#waiting)],
      leased: [...queuedFiles(this.#pages, this.#leased)],
    };
  }

  /** Freezes the table as it is now until `release`, which every capture calls once. Costs a reference per page. */
  capture(): CapturedFiles {
    this.#openCaptures += 1;
    this.#epoch += 1;
    return { pages: this.#pages.slice(), waiting: { ...this.#waiting }, leased: { ...this.#leased } };
  }

  /** One capture no longer reads its pages. */
  release(): void {
    assert(this.#openCaptures > 0, 'a capture is released once');
    this.#openCaptures -= 1;
  }

  /** Restores a file to its slot in a snapshot. @throws InvariantError when the slot or the id is taken */
  restore(slot: number, file: FileRecord): void {
    assert(!this.knows(file.id), 'a file is restored once');
    assert(slot >= 0 && slot < NO_SLOT && !this.#isUsed(slot), 'a slot holds one file');
    this.#place(slot, file);
    const page = this.#pageOf(slot);
    page[rowAt(slot) + LIVE_RUNS] = file.liveRuns;
    page[rowAt(slot) + LIVE_BYTES] = file.liveBytes;
  }

  /** Queues a restored file behind those that are queued. @throws InvariantError when it is not dead, or already queued */
  restoreQueued(queue: 'waiting' | 'leased', slot: number, timeMs: number): void {
    assert(this.#isUsed(slot) && this.#pageOf(slot)[rowAt(slot) + LIVE_RUNS] === 0, 'a queued file is dead');
    this.#enqueue(queue === 'waiting' ? this.#waiting : this.#leased, slot, timeMs);
  }

  /** Limits the times of all files in the queue. */
  #limitTimes(queue: Queue, mostMs: number): void {
    for (let slot = queue.first; slot !== NO_SLOT; ) {
      const at = rowAt(slot);
      const page = this.#pageOf(slot);
      if (readWide(page, at + QUEUED_AT) > mostMs) {
        writeWide(this.#ownPageOf(slot), at + QUEUED_AT, mostMs);
      }
      slot = wordAt(page, at + NEXT);
    }
  }

  #slotOf(id: Id): number {
    const hash = hashOf(id);
    for (let nth = 0; ; nth += 1) {
      const slot = this.#index.find(hash, nth);
      if (slot < 0 || holdsId(this.#pageOf(slot), rowAt(slot), id)) {
        return slot;
      }
    }
  }

  #isUsed(slot: number): boolean {
    const page = this.#pages[slot >>> PAGE_SHIFT];
    return page !== undefined && isUsed(page, slot & (PAGE_SLOTS - 1));
  }

  #pageOf(slot: number): Uint32Array {
    return present(this.#pages[slot >>> PAGE_SHIFT], `page of file slot ${slot}`);
  }

  /** Returns the page for changes: copies it first if a capture reads it. */
  #ownPageOf(slot: number): Uint32Array {
    const page = this.#pageOf(slot);
    if (this.#openCaptures === 0 || page[EPOCH] === this.#epoch) {
      return page;
    }
    const copy = page.slice();
    copy[EPOCH] = this.#epoch;
    this.#pages[slot >>> PAGE_SHIFT] = copy;
    return copy;
  }

  #lowestFreeSlot(): number {
    for (let word = 0; word < this.#full.length; word += 1) {
      const free = ~wordAt(this.#full, word);
      if (free !== 0) {
        const number = word * 32 + lowestBit(free);
        const page = this.#pages[number];
        return (number << PAGE_SHIFT) + (page === undefined ? 0 : lowestFreeOf(page));
      }
    }
    return (this.#full.length * 32) << PAGE_SHIFT;
  }

  #place(slot: number, file: Pick<FileRecord, 'id' | 'bytes' | 'committedAtMs' | 'level'>): void {
    this.#makeRoom(slot);
    const page = this.#ownPageOf(slot);
    const at = rowAt(slot);
    page.fill(0, at, at + ROW);
    writeId(page, at, file.id);
    page[at + FILE_BYTES] = file.bytes;
    writeWide(page, at + COMMITTED_AT, file.committedAtMs);
    page[at + LEVEL_AND_QUEUE] = file.level << LEVEL_SHIFT;
    const inPage = slot & (PAGE_SLOTS - 1);
    page[USED + (inPage >>> 5)] = wordAt(page, USED + (inPage >>> 5)) | (1 << (inPage & 31));
    const used = wordAt(page, USED_COUNT) + 1;
    page[USED_COUNT] = used;
    if (used === PAGE_SLOTS) {
      this.#setFull(slot >>> PAGE_SHIFT, true);
    }
    this.#index.add(hashOf(file.id), slot);
  }

  #free(slot: number): void {
    const number = slot >>> PAGE_SHIFT;
    const page = this.#ownPageOf(slot);
    const inPage = slot & (PAGE_SLOTS - 1);
    page[USED + (inPage >>> 5)] = wordAt(page, USED + (inPage >>> 5)) & ~(1 << (inPage & 31));
    const used = wordAt(page, USED_COUNT) - 1;
    page[USED_COUNT] = used;
    this.#setFull(number, false);
    if (used === 0) {
      this.#pageBytes -= reservedBytes(page);
      this.#pages[number] = undefined;
      while (this.#pages.length > 0 && this.#pages.at(-1) === undefined) {
        this.#pages.pop();
      }
    }
  }

  /** Returns a page with room for the slot. It grows, so the first files of a page do not pay for all 256. */
  #makeRoom(slot: number): void {
    const number = slot >>> PAGE_SHIFT;
    const page = this.#pages[number];
    const wanted = (slot & (PAGE_SLOTS - 1)) + 1;
    const present = page === undefined ? 0 : (page.length - HEAD) / ROW;
    if (wanted <= present) {
      return;
    }
    while (this.#pages.length < number) {
      this.#pages.push(undefined);
    }
    this.#setFull(number, false);
    const smallest = number === 0 ? MIN_PAGE_SLOTS : PAGE_SLOTS;
    const grown = new Uint32Array(HEAD + Math.min(PAGE_SLOTS, Math.max(smallest, wanted, present * 2)) * ROW);
    if (page !== undefined) {
      grown.set(page);
      this.#pageBytes -= reservedBytes(page);
    }
    grown[EPOCH] = this.#epoch;
    this.#pages[number] = grown;
    this.#pageBytes += reservedBytes(grown);
  }

  #setFull(number: number, isFull: boolean): void {
    const word = number >>> 5;
    if (word >= this.#full.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.#full.length * 2));
      grown.set(this.#full);
      this.#full = grown;
    }
    const bit = 1 << (number & 31);
    this.#full[word] = isFull ? wordAt(this.#full, word) | bit : wordAt(this.#full, word) & ~bit;
  }

  #enqueue(queue: Queue, slot: number, timeMs: number): void {
    const page = this.#ownPageOf(slot);
    const at = rowAt(slot);
    assert(queueOf(page, at) === NO_QUEUE, 'a dead file is queued once');
    setQueue(page, at, queue.kind);
    page[at + NEXT] = NO_SLOT;
    page[at + PREVIOUS] = queue.last;
    writeWide(page, at + QUEUED_AT, timeMs);
    if (queue.last === NO_SLOT) {
      queue.first = slot;
    } else {
      this.#ownPageOf(queue.last)[rowAt(queue.last) + NEXT] = slot;
    }
    queue.last = slot;
    queue.size += 1;
  }

  #dequeue(slot: number): void {
    const page = this.#ownPageOf(slot);
    const at = rowAt(slot);
    const queue = queueOf(page, at) === WAITING ? this.#waiting : this.#leased;
    assert(queueOf(page, at) === queue.kind, 'a file leaves the queue that it is in');
    const next = wordAt(page, at + NEXT);
    const previous = wordAt(page, at + PREVIOUS);
    setQueue(page, at, NO_QUEUE);
    if (previous === NO_SLOT) {
      queue.first = next;
    } else {
      this.#ownPageOf(previous)[rowAt(previous) + NEXT] = next;
    }
    if (next === NO_SLOT) {
      queue.last = previous;
    } else {
      this.#ownPageOf(next)[rowAt(next) + PREVIOUS] = previous;
    }
    queue.size -= 1;
  }
}

/** The files of a captured page, by slot. */
export function* filesOfPage(
  number: number,
  page: Uint32Array | undefined,
): Iterable<[slot: number, file: FileRecord]> {
  const slots = page === undefined ? 0 : (page.length - HEAD) / ROW;
  for (let inPage = 0; page !== undefined && inPage < slots; inPage += 1) {
    if (isUsed(page, inPage)) {
      const at = rowAt(inPage);
      yield [
        (number << PAGE_SHIFT) + inPage,
        {
          id: readId(page, at),
          bytes: wordAt(page, at + FILE_BYTES),
          committedAtMs: readWide(page, at + COMMITTED_AT),
          level: levelOf(page, at),
          liveRuns: wordAt(page, at + LIVE_RUNS),
          liveBytes: wordAt(page, at + LIVE_BYTES),
        },
      ];
    }
  }
}

/** The files of a captured queue, oldest first. */
export function* queuedFiles(
  pages: readonly (Uint32Array | undefined)[],
  queue: Readonly<Queue>,
): Iterable<QueuedFile> {
  for (let slot = queue.first; slot !== NO_SLOT; ) {
    const page = present(pages[slot >>> PAGE_SHIFT], `page of file slot ${slot}`);
    const at = rowAt(slot);
    yield { slot, timeMs: readWide(page, at + QUEUED_AT) };
    slot = wordAt(page, at + NEXT);
  }
}

function emptyQueue(kind: Queue['kind']): Queue {
  return { kind, first: NO_SLOT, last: NO_SLOT, size: 0 };
}

function rowAt(slot: number): number {
  return HEAD + (slot & (PAGE_SLOTS - 1)) * ROW;
}

function queueOf(page: Uint32Array, at: number): number {
  return wordAt(page, at + LEVEL_AND_QUEUE) & QUEUE_MASK;
}

function setQueue(page: Uint32Array, at: number, queue: number): void {
  page[at + LEVEL_AND_QUEUE] = (wordAt(page, at + LEVEL_AND_QUEUE) & ~QUEUE_MASK) | queue;
}

function levelOf(page: Uint32Array, at: number): FileLevel {
  const level = wordAt(page, at + LEVEL_AND_QUEUE) >>> LEVEL_SHIFT;
  assert(isFileLevel(level), 'a file has one of three levels');
  return level;
}

export function isFileLevel(level: number): level is FileLevel {
  return level === 0 || level === 1 || level === 2;
}

function isUsed(page: Uint32Array, inPage: number): boolean {
  return ((wordAt(page, USED + (inPage >>> 5)) >>> (inPage & 31)) & 1) === 1;
}

function lowestFreeOf(page: Uint32Array): number {
  for (let word = 0; ; word += 1) {
    const free = ~wordAt(page, USED + word);
    if (free !== 0) {
      return word * 32 + lowestBit(free);
    }
  }
}

/** The index of the lowest 1 bit of a nonzero word. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function idWord(id: Id, word: number): number {
  const at = word * 4;
  return byteAt(id, at) | (byteAt(id, at + 1) << 8) | (byteAt(id, at + 2) << 16) | (byteAt(id, at + 3) << 24);
}

function hashOf(id: Id): number {
  // The end of a UUIDv7 is random, its start is the timestamp.
  const front = mixBits(idWord(id, 0) ^ mixBits(idWord(id, 1)));
  return mixBits(front ^ idWord(id, 2) ^ mixBits(idWord(id, 3)));
}

function holdsId(page: Uint32Array, at: number, id: Id): boolean {
  for (let word = 0; word < 4; word += 1) {
    if (page[at + ID + word] !== idWord(id, word) >>> 0) {
      return false;
    }
  }
  return id.length === ID_BYTES;
}

function writeId(page: Uint32Array, at: number, id: Id): void {
  for (let word = 0; word < 4; word += 1) {
    page[at + ID + word] = idWord(id, word);
  }
}

function readId(page: Uint32Array, at: number): Id {
  const id = new Uint8Array(ID_BYTES);
  for (let byte = 0; byte < ID_BYTES; byte += 1) {
    id[byte] = wordAt(page, at + ID + (byte >>> 2)) >>> ((byte & 3) * 8);
  }
  return id;
}
