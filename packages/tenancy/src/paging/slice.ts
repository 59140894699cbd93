// Reads a list in pages by its ordering key, so that items added or deleted in between neither repeat nor hide others.
import { createHash } from 'node:crypto';

/** Part of a list: the first items after a key, in the list's order. */
export interface Slice<Key> {
  /** Undefined: from the start. The item with this key may be gone. */
  after: Key | undefined;
  limit: number;
}

/** A key that orders a list: compared element by element. */
export type OrderingKey = readonly [string | number, ...(string | number)[]];

function compare(left: OrderingKey, right: OrderingKey): number {
  for (const [index, one] of left.entries()) {
    const other = right[index];
    if (other !== undefined && one !== other) {
      return one < other ? -1 : 1;
    }
  }
  return 0;
}

/**
 * The slice of a list that is in memory, such as one from the metadata service.
 * @param slice undefined for all items, in their own order
 */
export function sliceOf<T, Key extends OrderingKey>(
  items: readonly T[],
  keyOf: (item: T) => Key,
  slice: Slice<Key> | undefined,
): T[] {
  if (slice === undefined) {
    return [...items];
  }
  const { after, limit } = slice;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => after === undefined || compare(key, after) > 0)
    .sort((left, right) => compare(left.key, right.key))
    .slice(0, limit)
    .map(({ item }) => item);
}

const LONGEST_PART = 200;

/** A key for a text of any length. Texts that begin with the same 200 characters are in no particular order. */
export function keyOfText(text: string): string {
  return text.length <= LONGEST_PART
    ? text
    : text.slice(0, LONGEST_PART) + createHash('sha256').update(text).digest('base64url');
}
