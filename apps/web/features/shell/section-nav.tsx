import { cx } from '@penstock/ui';
import Link from 'next/link';

export type SectionNavItem = { href: string; label: string; isCurrent: boolean };

/** Sections with addresses of their own, drawn as tabs. Scrolls sideways within itself on a narrow screen. */
export function SectionNav({ label, items }: { label: string; items: readonly SectionNavItem[] }) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto">
      {items.map((item) => (
        <Link
          key={item.href}
          href={item.href}
          aria-current={item.isCurrent ? 'page' : undefined}
          className={cx(
            '-mb-px whitespace-nowrap border-b-2 px-2.5 py-2.5 font-medium text-sm transition-colors focus-visible:-outline-offset-2',
            item.isCurrent ? 'border-accent text-ink' : 'border-transparent text-ink-3 hover:text-ink',
          )}
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}
