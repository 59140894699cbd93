// Which headings a search finds. Pure.

export interface SearchEntry {
  title: string;
  /** The page that a heading stands on; empty for a page itself. */
  page: string;
  href: string;
}

const MOST_FOUND = 12;

/** The entries that have all words, pages before headings. */
export function searchHeadings(entries: readonly SearchEntry[], words: string): SearchEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const found = entries.filter(({ title, page }) => {
    const text = `${title} ${page}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return found.toSorted((left, right) => Number(left.page !== '') - Number(right.page !== '')).slice(0, MOST_FOUND);
}
