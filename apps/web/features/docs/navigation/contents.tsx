import { cx } from '@penstock/ui';
import Link from 'next/link';
import { API_REFERENCE_SLUG, DOCS_SECTIONS, hrefOf } from '../contents';

/** All pages by section. The API reference is a separate page, so it is added at the end. */
export function Contents({ current, className }: { current: string; className?: string }) {
  return (
    <nav aria-label="Documentation" className={cx('text-sm', className)}>
      {DOCS_SECTIONS.map((section) => (
        <div key={section.title} className="mb-5 last:mb-0">
          <p className="px-3 pb-1 font-medium text-ink-3 text-xs">{section.title}</p>
          <ul>
            {section.entries.map(({ slug, title }) => (
              <li key={slug}>
                <PageLink href={hrefOf(slug)} isCurrent={slug === current}>
                  {title}
                </PageLink>
              </li>
            ))}
            {section.hasApiReference === true ? (
              <li>
                <PageLink href={hrefOf(API_REFERENCE_SLUG)} isCurrent={current === API_REFERENCE_SLUG}>
                  API reference
                </PageLink>
              </li>
            ) : null}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function PageLink({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: string }) {
  return (
    <Link
      href={href}
      // No prefetch: few readers visit many of the twenty pages.
      prefetch={false}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'block rounded-md px-3 py-1.5 hover:bg-hover hover:text-ink',
        isCurrent ? 'bg-inset font-medium text-ink' : 'text-ink-2',
      )}
    >
      {children}
    </Link>
  );
}
