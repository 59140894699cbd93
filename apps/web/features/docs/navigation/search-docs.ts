// Searches the documentation. Pure.

export interface SearchEntry {
  title: string;
  /** The page that contains the heading; empty for a page itself. */
  page: string;
  href: string;
  /** The words of the text below the title, in lower case. */
  words: string;
}

const MOST_FOUND = 12;

/** The entries that match all words: pages by title first, then headings, then matches in the text. */
export function searchDocs(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) {
    return [];
  }
  const has = (text: string): boolean => wanted.every((word) => text.includes(word));
  const ranked = entries.flatMap((entry) => {
    const titles = `${entry.title} ${entry.page}`.toLowerCase();
    if (has(titles)) {
      return [{ entry, rank: entry.page === '' ? 0 : 1 }];
    }
    return has(`${titles} ${entry.words}`) ? [{ entry, rank: 2 }] : [];
  });
  return ranked
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}
