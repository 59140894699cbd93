// Pages of lists that the control plane reads: which entries a page has.
import { Code, ConnectError } from '@connectrpc/connect';
import type { Page } from '@penstock/metadata-protocol';

const MAX_ENTRIES = 1_000;

/** @throws ConnectError invalid_argument when the page's limit is out of its range, or there is no page */
export function checkedPage(page: Page | undefined): Page {
  if (page === undefined || page.limit < 1 || page.limit > MAX_ENTRIES) {
    throw new ConnectError(`page.limit must be 1 to ${MAX_ENTRIES}`, Code.InvalidArgument);
  }
  return page;
}

/** The first of the entries, as many as the page may have. */
export function* firstOf<Entry>(entries: Iterable<Entry>, { limit }: Pick<Page, 'limit'>): Generator<Entry> {
  let left = limit;
  for (const entry of entries) {
    yield entry;
    left -= 1;
    if (left === 0) {
      return;
    }
  }
}
