'use client';

import { Input } from '@penstock/ui';
import Link from 'next/link';
import { useId, useState } from 'react';
import { type SearchEntry, searchDocs } from './search-docs';

/** Full-text search. The index is small enough to be sent with the page. */
export function Search({ entries }: { entries: readonly SearchEntry[] }) {
  const [words, setWords] = useState('');
  const id = useId();
  const found = searchDocs(entries, words);
  const isSearching = words.trim() !== '';
  return (
    <search className="relative block">
      <Input
        type="search"
        aria-label="Search the documentation"
        placeholder="Search"
        autoComplete="off"
        aria-controls={id}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            setWords('');
          }
        }}
      />
      <div id={id} role="status" className="text-sm">
        {isSearching && found.length === 0 ? <p className="px-1 pt-2 text-ink-3">No results.</p> : null}
      </div>
      {isSearching && found.length > 0 ? (
        <ul
          aria-label="Results"
          className="absolute z-20 mt-1 max-h-80 w-full overflow-y-auto rounded-lg border border-line bg-surface py-1 text-sm shadow-float"
        >
          {found.map(({ title, page, href }) => (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                onClick={() => setWords('')}
                className="block px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="block text-ink">{title}</span>
                {page === '' ? null : <span className="block text-ink-3 text-xs">{page}</span>}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </search>
  );
}
