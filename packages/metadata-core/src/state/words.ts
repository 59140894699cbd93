// 64-bit numbers in a Uint32Array: low word, then high word. One array per page holds all columns of its rows, because every typed array
// costs about 300 bytes besides its elements.
import { wordAt } from '../model/checked.ts';

const WORD = 0x1_0000_0000;

/** V8's memory besides the elements of one typed array: the view, its buffer, the allocator's own data. */
export const ARRAY_OVERHEAD_BYTES = 300;

/** Reads an integer from -(2^53 - 1) to 2^53 - 1. */
export function readWide(words: Uint32Array, at: number): number {
  return (wordAt(words, at + 1) | 0) * WORD + wordAt(words, at);
}

/** Writes an integer from -(2^53 - 1) to 2^53 - 1. */
export function writeWide(words: Uint32Array, at: number, value: number): void {
  const high = Math.floor(value / WORD);
  words[at] = value - high * WORD;
  words[at + 1] = high;
}

/** The bytes that a typed array occupies in all. */
export function reservedBytes(words: Uint32Array): number {
  return words.byteLength + ARRAY_OVERHEAD_BYTES;
}

/** Spreads the bits of a 32-bit number (the finalizer of MurmurHash3). */
export function mixBits(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
