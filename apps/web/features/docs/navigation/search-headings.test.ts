import { describe, expect, it } from 'vitest';
import { type SearchEntry, searchHeadings } from './search-headings.ts';

const entries: SearchEntry[] = [
  { title: 'Zones', page: 'Concepts', href: '/docs/concepts#zones' },
  { title: 'Concepts', page: '', href: '/docs/concepts' },
  { title: 'Limits', page: 'Kafka compatibility', href: '/docs/kafka#limits' },
];

describe('the search over headings', () => {
  it('finds what has all words, in the heading or its page, in any case', () => {
    expect(searchHeadings(entries, 'KAFKA limits').map(({ href }) => href)).toEqual(['/docs/kafka#limits']);
  });

  it('lists a page before its headings', () => {
    expect(searchHeadings(entries, 'concepts').map(({ title }) => title)).toEqual(['Concepts', 'Zones']);
  });

  it('finds nothing for no words', () => {
    expect(searchHeadings(entries, '  ')).toEqual([]);
  });
});
