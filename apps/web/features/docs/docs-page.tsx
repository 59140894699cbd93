import { ArrowLeft, ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { DOCS_ENTRIES, type DocsEntry, hrefOf } from './contents';
import { Contents } from './navigation/contents';
import { OnThisPage } from './navigation/on-this-page';
import { Search } from './navigation/search';
import { searchEntries, textOf } from './pages';

/** One page of the documentation with the ways to all others. */
export function DocsPage({ entry }: { entry: DocsEntry }) {
  const { Content, headings } = textOf(entry.slug);
  const place = DOCS_ENTRIES.indexOf(entry);
  return (
    <div className="mx-auto grid w-full max-w-[88rem] px-4 sm:px-8 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10 xl:grid-cols-[14rem_minmax(0,1fr)_13rem]">
      <aside className="pt-6 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-4rem)] lg:self-start lg:overflow-y-auto lg:py-10 print:hidden">
        <Search entries={searchEntries()} />
        <details className="mt-3 rounded-lg border border-line bg-surface lg:hidden">
          <summary className="px-4 py-2.5 font-medium text-ink text-sm">All pages</summary>
          <Contents current={entry.slug} className="border-line border-t px-2 py-3" />
        </details>
        <Contents current={entry.slug} className="mt-6 hidden lg:block" />
      </aside>
      <article className="min-w-0 max-w-3xl py-10 lg:py-12">
        <p className="font-mono text-accent-ink text-xs">docs</p>
        <h1 className="mt-2 font-semibold text-4xl text-ink tracking-tight">{entry.title}</h1>
        <p className="mt-4 text-ink-2 text-lg leading-8">{entry.description}</p>
        <Content />
        <nav aria-label="Neighbouring pages" className="mt-16 grid gap-4 border-line border-t pt-6 sm:grid-cols-2">
          <Neighbour entry={DOCS_ENTRIES[place - 1]} direction="previous" />
          <Neighbour entry={DOCS_ENTRIES[place + 1]} direction="next" />
        </nav>
      </article>
      <OnThisPage headings={headings} />
    </div>
  );
}

function Neighbour({ entry, direction }: { entry: DocsEntry | undefined; direction: 'previous' | 'next' }) {
  if (entry === undefined) return <span className="hidden sm:block" />;
  const isNext = direction === 'next';
  return (
    <Link
      href={hrefOf(entry.slug)}
      rel={isNext ? 'next' : 'prev'}
      className={`flex items-center gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm hover:border-line-strong ${isNext ? 'justify-end text-right' : ''}`}
    >
      {isNext ? null : <ArrowLeft aria-hidden className="size-4 shrink-0 text-ink-3" />}
      <span>
        <span className="block text-ink-3 text-xs">{isNext ? 'Next' : 'Previous'}</span>
        <span className="font-medium text-ink">{entry.title}</span>
      </span>
      {isNext ? <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3" /> : null}
    </Link>
  );
}
