'use client';

import { cx } from '@penstock/ui';
import { useEffect, useRef } from 'react';
import { IntentLink } from './intent-link';
import { scrollIntoStrip } from './scroll-into-strip';

export interface SectionNavItem {
  href: string;
  label: string;
  isCurrent: boolean;
  /** This page has its own Content-Security-Policy, so it must be loaded as a document. */
  isOwnDocument?: boolean;
}

/**
 * Sections with their own URLs, drawn as tabs. On a narrow screen the strip scrolls sideways to the current tab; the page itself does not.
 */
export function SectionNav({ label, items }: { label: string; items: readonly SectionNavItem[] }) {
  const strip = useRef<HTMLElement>(null);
  const current = items.find(({ isCurrent }) => isCurrent)?.href;
  useEffect(() => {
    const nav = strip.current;
    if (current === undefined || nav === null) {
      return;
    }
    const bringIntoView = () => {
      const tab = nav.querySelector<HTMLElement>('[aria-current="page"]');
      if (tab === null) {
        return;
      }
      const view = { left: nav.scrollLeft, width: nav.clientWidth };
      nav.scrollLeft = scrollIntoStrip(view, { start: tab.offsetLeft, width: tab.offsetWidth });
    };
    // Called at once, and when the strip becomes narrower.
    const observer = new ResizeObserver(bringIntoView);
    observer.observe(nav);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav ref={strip} aria-label={label} className="relative flex gap-1 overflow-x-auto">
      {items.map(({ href, label: text, isCurrent, isOwnDocument = false }) => {
        const Anchor = isOwnDocument ? 'a' : IntentLink;
        return (
          <Anchor
            key={href}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            className={cx(
              '-mb-px whitespace-nowrap border-b-2 px-2.5 py-2.5 font-medium text-sm transition-colors focus-visible:-outline-offset-2',
              isCurrent ? 'border-accent text-ink' : 'border-transparent text-ink-3 hover:text-ink',
            )}
          >
            {text}
          </Anchor>
        );
      })}
    </nav>
  );
}
