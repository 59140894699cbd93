// Columns of values that are close together (timestamps): each is written as the difference from the one before.
import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';

/** Differences up to this are exact, and so is twice their value. */
const MAX_DELTA = 2 ** 51;

/** Writes twice the difference or, if it is too large, 1, which is odd, and then the value itself. */
export function writeDelta(to: ByteWriter, value: number, before: number): void {
  const delta = value - before;
  if (Math.abs(delta) < MAX_DELTA) {
    to.signed(delta * 2);
  } else {
    to.signed(1);
    to.signed(value);
  }
}

export function readDelta(from: ByteReader, before: number): number {
  const coded = from.signed();
  return coded % 2 === 0 ? before + coded / 2 : from.signed();
}
