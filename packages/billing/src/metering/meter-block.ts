// What a stretch of the journal leaves behind for years: its bytes per minute, and a hash that vouches for every entry of
// it and of all stretches before. With it a bill can be recomputed, and a changed past cannot hide.
import { createHash } from 'node:crypto';
import type { MeterReading } from './meter-reading.ts';

export interface MeterBlock {
  firstSeq: bigint;
  lastSeq: bigint;
  /** Uncompressed bytes by minute since the Unix epoch. A minute of one block stays far below 2^53. */
  bytesPerMinute: Record<string, number>;
  hash: Uint8Array;
  previousHash: Uint8Array;
}

/** The hash before the first entry of a cluster. */
export const genesisHash = new Uint8Array(32);

const minute_ms = 60_000;
/** Long enough that years of blocks are few rows, short enough that one block is small: an hour has 60 minutes in it. */
const minutesPerBlock = 60;

/** The hash after an entry: over the hash before it, its number and its bytes. */
export function chainHash(previous: Uint8Array, seq: bigint, entry: Uint8Array): Uint8Array {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(seq);
  return new Uint8Array(createHash('sha256').update(previous).update(number).update(entry).digest());
}

/** Extends the chain entry by entry; closes a block when it has an hour's worth of minutes. */
export class MeterBlockChain {
  readonly #changed: MeterBlock[] = [];
  #open: MeterBlock | undefined;

  /** @param last the newest block so far; it is extended until it is full */
  constructor(last: MeterBlock | undefined) {
    this.#open = last === undefined ? undefined : { ...last, bytesPerMinute: { ...last.bytesPerMinute } };
  }

  add(seq: bigint, entry: Uint8Array, { atMs, uncompressedBytes }: MeterReading): void {
    const block = this.#blockFor(seq);
    if (uncompressedBytes > 0) {
      const minute = String(Math.floor(atMs / minute_ms));
      block.bytesPerMinute[minute] = (block.bytesPerMinute[minute] ?? 0) + uncompressedBytes;
    }
    block.hash = chainHash(block.hash, seq, entry);
    block.lastSeq = seq;
  }

  /** The blocks that are new or longer than they were. */
  get changed(): readonly MeterBlock[] {
    return this.#changed;
  }

  #blockFor(seq: bigint): MeterBlock {
    const open = this.#open;
    if (open !== undefined && Object.keys(open.bytesPerMinute).length < minutesPerBlock) {
      if (!this.#changed.includes(open)) this.#changed.push(open);
      return open;
    }
    const previousHash = open?.hash ?? genesisHash;
    const block = { firstSeq: seq, lastSeq: seq, bytesPerMinute: {}, hash: previousHash, previousHash };
    this.#open = block;
    this.#changed.push(block);
    return block;
  }
}
