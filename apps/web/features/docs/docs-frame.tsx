import { cx } from '@penstock/ui';
import type { ReactNode } from 'react';
import { Contents } from './navigation/contents';
import { Search } from './navigation/search';
import { searchEntries } from './pages';

interface DocsFrameProps {
  /** The page's slug in the list of pages. */
  current: string;
  children: ReactNode;
  /** Content of the right column on a wide screen. Without it the page uses that space. */
  beside?: ReactNode;
}

/** The frame of each documentation page: search and navigation. */
export function DocsFrame({ current, children, beside }: DocsFrameProps) {
  return (
    <div
      // The header and footer of the site become as wide.
      data-wide
      className={cx(
        'mx-auto grid w-full max-w-[88rem] px-4 sm:px-8 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10',
        beside !== undefined && 'xl:grid-cols-[14rem_minmax(0,1fr)_13rem]',
      )}
    >
      <aside className="pt-6 lg:sticky lg:-mx-1 lg:px-1 lg:top-16 lg:max-h-[calc(100dvh-4rem)] lg:self-start lg:overflow-y-auto lg:py-10 print:hidden">
        <Search entries={searchEntries()} />
        <details className="mt-3 rounded-lg border border-line bg-surface lg:hidden">
          <summary className="px-4 py-2.5 font-medium text-ink text-sm">All pages</summary>
          <Contents current={current} className="border-line border-t px-2 py-3" />
        </details>
        <Contents current={current} className="mt-6 hidden lg:block" />
      </aside>
      {children}
      {beside}
    </div>
  );
}
