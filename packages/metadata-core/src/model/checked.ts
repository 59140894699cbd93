// Reads of arrays that throw beyond the end. An index comes from the state itself or from input that was checked, so one out of range
// means that an invariant broke; a substitute such as 0 would be a plausible offset, epoch or file.
//
// One function per kind of array: V8 keeps one set of type feedback per function, so a shared one would look up the kind at each read.
import { InvariantError } from './assert.ts';

function outOfRange(index: number, length: number): InvariantError {
  return new InvariantError(`invariant broken: read at ${index} of ${length} values`);
}

/** @throws InvariantError when the index is not in the array */
export function byteAt(bytes: Uint8Array, index: number): number {
  const value = bytes[index];
  if (value === undefined) {
    throw outOfRange(index, bytes.length);
  }
  return value;
}

/** @throws InvariantError when the index is not in the array */
export function wordAt(words: Uint32Array, index: number): number {
  const value = words[index];
  if (value === undefined) {
    throw outOfRange(index, words.length);
  }
  return value;
}

/** @throws InvariantError when the index is not in the array */
export function int32At(values: Int32Array, index: number): number {
  const value = values[index];
  if (value === undefined) {
    throw outOfRange(index, values.length);
  }
  return value;
}

/** @throws InvariantError when the index is not in the array */
export function doubleAt(values: Float64Array, index: number): number {
  const value = values[index];
  if (value === undefined) {
    throw outOfRange(index, values.length);
  }
  return value;
}

/** A value of a column of either kind. @throws InvariantError when the index is not in the array */
export function columnAt(column: Uint32Array | Float64Array, index: number): number {
  const value = column[index];
  if (value === undefined) {
    throw outOfRange(index, column.length);
  }
  return value;
}

/** @throws InvariantError when the index is not in the array */
export function numberAt(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) {
    throw outOfRange(index, values.length);
  }
  return value;
}
