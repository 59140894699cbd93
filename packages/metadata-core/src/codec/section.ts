// The parts of a snapshot: each is one section with a head (version, kind, number, length), items of its kind, and a CRC-32 over all of it.
// The last section carries a checksum over all sections before it, which detects a part that is missing, foreign or out of order.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { byteAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { outdated } from '../model/rules.ts';
import { crc32 } from './crc32.ts';

/** Raise it with every change of the format, and keep reading the version before (decision 0058). */
const SECTIONS_VERSION = 3;

/** A part is closed when it reaches this size, so that reading or writing one takes milliseconds. */
export const PART_BYTES = 256 * 1024;
/** A part is also closed after this many batches of rows, since similar rows take few bytes. */
const BATCHES_PER_SECTION: Readonly<Partial<Record<SectionKind, number>>> = {
  partitions: 8,
  producers: 2,
  groups: 1_000,
  groupConfigs: 10_000,
  transactions: 1_000,
  // Each batch reserves memory, but takes few bytes in the snapshot.
  answers: 64,
  files: 2,
  fileQueues: 8,
  commitIds: 8,
  grants: 2,
  runs: 8,
};
/** More than the largest possible single item. */
const MAX_SECTION_BYTES = 256 * 1024 * 1024;

/** Numbers are never reused for another kind. */
export const SECTION_KINDS = {
  cluster: 1,
  topics: 2,
  partitions: 3,
  producers: 4,
  groups: 5,
  files: 6,
  fileQueues: 7,
  answers: 8,
  commitIds: 9,
  grants: 10,
  runs: 11,
  end: 12,
  security: 13,
  transactions: 14,
  laterSettings: 16,
  groupConfigs: 15,
  agentKeys: 20,
} as const;
export type SectionKind = keyof typeof SECTION_KINDS;

/** Version, kind, number of the section, length of its items. */
const HEAD_BYTES = 10;
const LENGTH_AT = 6;
const CRC_BYTES = 4;

/** The smallest step of writing: a record, or a batch of rows. */
export type Item = (to: ByteWriter) => void;

/** A checksum over the checksums of all sections so far. */
class Chain {
  #sum = 0;
  readonly #link = new DataView(new ArrayBuffer(8));

  get sum(): number {
    return this.#sum;
  }

  add(crc: number): void {
    this.#link.setUint32(0, this.#sum);
    this.#link.setUint32(4, crc);
    this.#sum = crc32(new Uint8Array(this.#link.buffer));
  }
}

/** Writes items into sections. */
export class SectionWriter {
  readonly #chain = new Chain();
  readonly #partBytes: number;
  #number = 0;

  constructor(partBytes = PART_BYTES) {
    this.#partBytes = partBytes;
  }

  /** Yields the sections of one kind; none when there are no items. Each step of the iterator makes one. */
  *sections(kind: SectionKind, items: Iterable<Item>): Iterable<Uint8Array> {
    const mostItems = BATCHES_PER_SECTION[kind] ?? Number.POSITIVE_INFINITY;
    let to: ByteWriter | undefined;
    let count = 0;
    for (const write of items) {
      to ??= this.#begin(kind);
      write(to);
      count += 1;
      if (to.length >= this.#partBytes || count === mostItems) {
        yield this.#close(to);
        to = undefined;
        count = 0;
      }
    }
    if (to !== undefined) {
      yield this.#close(to);
    }
  }

  end(): Uint8Array {
    const to = this.#begin('end');
    to.uint32(this.#chain.sum);
    return this.#close(to);
  }

  #begin(kind: SectionKind): ByteWriter {
    const to = new ByteWriter();
    to.byte(SECTIONS_VERSION);
    to.byte(SECTION_KINDS[kind]);
    to.uint32(this.#number);
    to.uint32(0);
    this.#number += 1;
    return to;
  }

  #close(to: ByteWriter): Uint8Array {
    to.overwriteUint32(LENGTH_AT, to.length - HEAD_BYTES);
    const crc = crc32(to.written());
    this.#chain.add(crc);
    to.uint32(crc);
    return to.written();
  }
}

/** Checks the heads and checksums of sections, in order. */
export class SectionChecker {
  readonly #chain = new Chain();
  #number = 0;

  /** The length of the section that starts with these bytes. Undefined while there are too few bytes to know. @throws CorruptDataError */
  lengthOf(bytes: Uint8Array): number | undefined {
    if (bytes.length < HEAD_BYTES) {
      return undefined;
    }
    const version = byteAt(bytes, 0);
    if (version < SECTIONS_VERSION) {
      throw outdated('snapshot', `the format ${version}`);
    }
    if (version > SECTIONS_VERSION) {
      throw new CorruptDataError(
        `snapshot: it has the format ${version}; this release knows ${SECTIONS_VERSION}. Run the release that wrote it, or a later one.`,
      );
    }
    const length = uint32(bytes, LENGTH_AT);
    if (length > MAX_SECTION_BYTES) {
      throw new CorruptDataError('snapshot: a section is longer than any that is written');
    }
    return HEAD_BYTES + length + CRC_BYTES;
  }

  /** Returns the kind and the items of a complete section. @throws CorruptDataError */
  open(section: Uint8Array): { kind: number; items: Uint8Array } {
    const covered = section.subarray(0, section.length - CRC_BYTES);
    const crc = crc32(covered);
    if (uint32(section, covered.length) !== crc) {
      throw new CorruptDataError('snapshot: the checksum of a section is wrong');
    }
    if (uint32(section, 2) !== this.#number) {
      throw new CorruptDataError(`snapshot: section ${uint32(section, 2)} stands where ${this.#number} belongs`);
    }
    this.#number += 1;
    const items = covered.subarray(HEAD_BYTES);
    if (section[1] === SECTION_KINDS.end && (items.length !== 4 || uint32(items, 0) !== this.#chain.sum)) {
      throw new CorruptDataError('snapshot: its sections do not belong together');
    }
    this.#chain.add(crc);
    return { kind: byteAt(section, 1), items };
  }
}

function uint32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
}

/** Reads items until the section ends. */
export function readItems(from: ByteReader, readItem: (from: ByteReader) => void): void {
  while (from.remaining > 0) {
    readItem(from);
  }
}
