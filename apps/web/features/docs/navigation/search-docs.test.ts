import { describe, expect, it } from 'vitest';
import { GENERATED_WORDS } from './generated-words.ts';
import { type SearchEntry, searchDocs } from './search-docs.ts';

const entries: SearchEntry[] = [
  { title: 'Deletion', page: 'Concepts', href: '/docs/concepts#deletion', words: 'records retention.ms orphan' },
  { title: 'Zones', page: 'Concepts', href: '/docs/concepts#zones', words: 'rendezvous hashing' },
  { title: 'Concepts', page: '', href: '/docs/concepts', words: '' },
  { title: 'Limits', page: 'Kafka compatibility', href: '/docs/kafka#limits', words: 'zones' },
];

describe('the documentation search', () => {
  it('finds pages and headings with all words in any case', () => {
    expect(searchDocs(entries, 'KAFKA limits').map(({ href }) => href)).toEqual(['/docs/kafka#limits']);
  });

  it('lists a page before its headings', () => {
    expect(searchDocs(entries, 'concepts').map(({ title }) => title)).toEqual(['Concepts', 'Deletion', 'Zones']);
  });

  it('lists matches in the text after matches in headings', () => {
    expect(searchDocs(entries, 'retention.ms').map(({ title }) => title)).toEqual(['Deletion']);
    expect(searchDocs(entries, 'zones').map(({ title }) => title)).toEqual(['Zones', 'Limits']);
  });

  it('finds options, metrics, topic configs and APIs by name', () => {
    const words = [
      '--flush-bytes',
      'penstock_flush_bytes',
      'penstock_agent_cache_bytes',
      'cleanup.policy',
      'listoffsets',
    ];
    for (const word of words) {
      expect(
        Object.values(GENERATED_WORDS).some((text) => text.includes(word)),
        word,
      ).toBe(true);
    }
  });

  it('finds nothing for an empty query', () => {
    expect(searchDocs(entries, '  ')).toEqual([]);
  });
});
