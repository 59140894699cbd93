import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface CardProps {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The body has no padding (tables). */
  flush?: boolean;
  tone?: 'plain' | 'danger';
  className?: string;
}

/** A titled section of a page. */
export function Card({ title, description, actions, children, flush = false, tone = 'plain', className }: CardProps) {
  return (
    <section
      className={cx(
        'min-w-0 rounded-xl border bg-surface shadow-raised',
        tone === 'danger' ? 'border-danger/40' : 'border-line',
        className,
      )}
    >
      {title === undefined ? null : (
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4 pb-3 sm:px-5">
          <div className="min-w-0">
            <h2 className="font-semibold text-[0.9375rem] text-ink leading-6">{title}</h2>
            {description === undefined ? null : (
              <p className="mt-0.5 max-w-prose text-pretty text-[0.8125rem] text-ink-3 leading-5">{description}</p>
            )}
          </div>
          {actions === undefined ? null : <div className="flex shrink-0 items-center gap-2">{actions}</div>}
        </header>
      )}
      <div
        className={cx(
          flush ? 'border-line border-t' : 'px-4 pb-4 sm:px-5 sm:pb-5',
          title === undefined && !flush && 'pt-4 sm:pt-5',
          title === undefined && flush && 'border-t-0',
        )}
      >
        {children}
      </div>
    </section>
  );
}
