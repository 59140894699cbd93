// The hash chain over a cluster's journal. It distinguishes two histories with entries of the same number.
import { createHash } from 'node:crypto';

const HASH_BYTES = 32;

/** A position in a journal: an entry, and the hash of all entries up to it. */
export interface JournalPosition {
  /** 0 before the first entry. */
  readonly seq: number;
  /** SHA-256, 32 bytes; all zero before the first entry. */
  readonly hash: Uint8Array;
}

/** Before the first entry of any cluster. */
export const JOURNAL_START: JournalPosition = { seq: 0, hash: new Uint8Array(HASH_BYTES) };

/** The position after entry `bytes`, which follows `previous`: hash(n) = SHA-256(hash(n-1) || entry n). */
export function positionAfter(previous: JournalPosition, bytes: Uint8Array): JournalPosition {
  return { seq: previous.seq + 1, hash: createHash('sha256').update(previous.hash).update(bytes).digest() };
}

export function isSamePosition(one: JournalPosition, other: JournalPosition): boolean {
  return one.seq === other.seq && Buffer.compare(one.hash, other.hash) === 0;
}

/** For logs and messages: the number and the first 8 bytes of the hash. */
export function describePosition({ seq, hash }: JournalPosition): string {
  return `${seq} (${Buffer.from(hash).toString('hex', 0, 8)})`;
}
