import { cx } from '@penstock/ui';
import { IntentLink } from './intent-link';

export type SectionNavItem = {
  href: string;
  label: string;
  isCurrent: boolean;
  /** It has a content security policy of its own, so it has to be loaded as a document. */
  isOwnDocument?: boolean;
};

/** Sections with addresses of their own, drawn as tabs. Scrolls sideways within itself on a narrow screen. */
export function SectionNav({ label, items }: { label: string; items: readonly SectionNavItem[] }) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto">
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
