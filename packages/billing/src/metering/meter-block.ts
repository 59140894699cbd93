// The record of a journal section that is kept for years: its bytes and cluster-minutes by minute, a hash that covers
// every entry of it and of all earlier sections, and a seal over the figures. With it a bill can be recomputed, and
// changes to the past can be detected.
import { createHash } from 'node:crypto';
import type { ClusterMode } from '@penstock/metadata-core';
import { MINUTE_MS } from '@penstock/units';
import type { MeterReading } from './meter-reading.ts';

/**
 * Cluster-minutes by minute since the Unix epoch and by mode. A minute has one mode, except when a clock was changed.
 */
export type AliveMinutes = Record<string, Partial<Record<ClusterMode, number>>>;

export interface MeterBlock {
  firstSeq: bigint;
  lastSeq: bigint;
  /** Uncompressed bytes by minute since the Unix epoch. One minute stays far below 2^53. */
  bytesPerMinute: Record<string, number>;
  /** Null in blocks older than stored minutes. */
  aliveMinutes: AliveMinutes | null;
  /** Covers every entry up to the last of this block. */
  hash: Uint8Array;
  previousHash: Uint8Array;
  /** Covers all of the above and the previous block's seal; null in blocks older than seals. */
  seal: Uint8Array | null;
}

/** The hash before a cluster's first entry, and the seal before the first sealed block. */
export const genesisHash = new Uint8Array(32);

/** Large enough that years of blocks are few rows, small enough that one block is small: an hour has 60 minutes. */
const MINUTES_PER_BLOCK = 60;

/** The hash after an entry, computed from the previous hash, the entry's number and its bytes. */
export function chainHash(previous: Uint8Array, seq: bigint, entry: Uint8Array): Uint8Array {
  const number = Buffer.allocUnsafe(8);
  number.writeBigUInt64BE(seq);
  return createHash('sha256').update(previous).update(number).update(entry).digest();
}

/** The seal of a block, which covers the previous seal. Independent of the order of JSON keys. */
export function sealOf(block: Omit<MeterBlock, 'seal'>, previousSeal: Uint8Array): Uint8Array {
  const inOrder = <T>(figures: Record<string, T>): [string, T][] =>
    Object.entries(figures).sort(([left], [right]) => Number(left) - Number(right));
  const alive = inOrder(block.aliveMinutes ?? {}).map(([minute, modes]) => [minute, Object.entries(modes).sort()]);
  const figures = JSON.stringify([inOrder(block.bytesPerMinute), alive]);
  const range = `${block.firstSeq} ${block.lastSeq} `;
  return createHash('sha256')
    .update(previousSeal)
    .update(range)
    .update(block.previousHash)
    .update(block.hash)
    .update(figures)
    .digest();
}

function minutesOf({ bytesPerMinute, aliveMinutes }: MeterBlock): Set<string> {
  return new Set([...Object.keys(bytesPerMinute), ...Object.keys(aliveMinutes ?? {})]);
}

function isFull(block: MeterBlock): boolean {
  return minutesOf(block).size >= MINUTES_PER_BLOCK;
}

interface OpenBlock extends MeterBlock {
  aliveMinutes: AliveMinutes;
}

/** Extends the chain entry by entry. Closes a block when it contains an hour of minutes. */
export class MeterBlockChain {
  readonly #changed: OpenBlock[] = [];
  #open: OpenBlock | undefined;
  #minutes = new Set<string>();
  #hash: Uint8Array;
  /** The seal before the first changed block. */
  readonly #previousSeal: Uint8Array;

  /**
   * @param last the newest block so far; it is extended until it is full, unless it is older than minutes and seals
   * @param beforeLast the block before that one
   */
  constructor(last: MeterBlock | undefined, beforeLast?: MeterBlock) {
    this.#hash = last?.hash ?? genesisHash;
    this.#previousSeal = last?.seal ?? genesisHash;
    if (last === undefined || last.aliveMinutes === null || last.seal === null || isFull(last)) {
      return;
    }
    this.#previousSeal = beforeLast?.seal ?? genesisHash;
    const { bytesPerMinute, aliveMinutes } = last;
    this.#open = { ...last, bytesPerMinute: { ...bytesPerMinute }, aliveMinutes: { ...aliveMinutes } };
    this.#minutes = minutesOf(last);
  }

  add(seq: bigint, entry: Uint8Array, reading: MeterReading): void {
    const block = this.#blockFor(seq);
    const { uncompressedBytes, clusterMinutes, devMinutes, lowLatencyMinutes } = reading;
    if (uncompressedBytes > 0 || clusterMinutes > 0) {
      const minute = String(Math.floor(reading.atMs / MINUTE_MS));
      this.#minutes.add(minute);
      if (uncompressedBytes > 0) {
        block.bytesPerMinute[minute] = (block.bytesPerMinute[minute] ?? 0) + uncompressedBytes;
      }
      if (clusterMinutes > 0) {
        const alive = { ...block.aliveMinutes[minute] };
        const count = (mode: ClusterMode, minutes: number): void => {
          if (minutes > 0) {
            alive[mode] = (alive[mode] ?? 0) + minutes;
          }
        };
        count('standard', clusterMinutes - devMinutes - lowLatencyMinutes);
        count('dev', devMinutes);
        count('low-latency', lowLatencyMinutes);
        block.aliveMinutes[minute] = alive;
      }
    }
    this.#hash = chainHash(this.#hash, seq, entry);
    block.hash = this.#hash;
    block.lastSeq = seq;
  }

  /** The new and extended blocks, sealed. */
  sealed(): MeterBlock[] {
    let previousSeal = this.#previousSeal;
    return this.#changed.map((block) => {
      const seal = sealOf(block, previousSeal);
      previousSeal = seal;
      return { ...block, seal };
    });
  }

  #blockFor(seq: bigint): OpenBlock {
    let block = this.#open;
    if (block === undefined || this.#minutes.size >= MINUTES_PER_BLOCK) {
      const previousHash = this.#hash;
      block = {
        firstSeq: seq,
        lastSeq: seq,
        bytesPerMinute: {},
        aliveMinutes: {},
        hash: previousHash,
        previousHash,
        seal: null,
      };
      this.#open = block;
      this.#minutes = new Set();
    }
    if (this.#changed.at(-1) !== block) {
      this.#changed.push(block);
    }
    return block;
  }
}
