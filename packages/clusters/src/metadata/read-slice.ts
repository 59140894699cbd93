// Slices of lists that the metadata service has.
import type { Slice } from '@penstock/tenancy';
import { LONGEST_PAGE, type Page } from './metadata-admin.ts';

/**
 * Reads a slice in one call, or the whole list in as many as it takes.
 * @param slice undefined for the whole list
 * @param keyOf by which the service orders the list
 */
export async function readSlice<Item>(
  slice: Slice<readonly [string]> | undefined,
  readPage: (page: Page) => Promise<Item[]>,
  keyOf: (item: Item) => string,
): Promise<Item[]> {
  if (slice !== undefined) {
    return readPage({ after: slice.after?.[0], limit: slice.limit });
  }
  const all: Item[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await readPage({ after: last === undefined ? undefined : keyOf(last), limit: LONGEST_PAGE });
    all.push(...page);
    if (page.length < LONGEST_PAGE) {
      return all;
    }
  }
}
