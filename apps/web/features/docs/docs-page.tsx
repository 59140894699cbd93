import { ArrowLeft, ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { DOCS_ENTRIES, type DocsEntry, hrefOf } from './contents';
import { DocsFrame } from './docs-frame';
import { OnThisPage } from './navigation/on-this-page';
import { textOf } from './pages';

/** One documentation page with its navigation. */
export function DocsPage({ entry }: { entry: DocsEntry }) {
  const { Content, headings } = textOf(entry.slug);
  const place = DOCS_ENTRIES.indexOf(entry);
  return (
    <DocsFrame current={entry.slug} beside={<OnThisPage headings={headings} />}>
      <article className="min-w-0 max-w-3xl py-10 lg:py-12">
        <p className="font-mono text-accent-ink text-xs">Docs</p>
        <h1 className="mt-2 font-semibold text-4xl text-ink tracking-tight">{entry.title}</h1>
        <p className="mt-4 text-ink-2 text-lg leading-8">{entry.description}</p>
        <Content />
        <nav aria-label="Previous and next page" className="mt-16 grid gap-4 border-line border-t pt-6 sm:grid-cols-2">
          <Neighbour entry={DOCS_ENTRIES[place - 1]} direction="previous" />
          <Neighbour entry={DOCS_ENTRIES[place + 1]} direction="next" />
        </nav>
      </article>
    </DocsFrame>
  );
}

function Neighbour({ entry, direction }: { entry: DocsEntry | undefined; direction: 'previous' | 'next' }) {
  if (entry === undefined) {
    return <span className="hidden sm:block" />;
  }
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
