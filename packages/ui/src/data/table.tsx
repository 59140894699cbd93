import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';

/**
 * A table that scrolls inside its own box on a narrow screen, so that the page never scrolls sideways. The box is focusable, so that it can
 * be scrolled by keyboard.
 */
export function Table({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto focus-visible:-outline-offset-2">
      <table className={cx('w-full border-collapse text-left text-sm', className)}>{children}</table>
    </section>
  );
}

export type ThProps = ComponentProps<'th'> & { numeric?: boolean };

export function Th({ numeric = false, className, ...rest }: ThProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={cx(
        'h-9 whitespace-nowrap border-line border-b px-4 font-medium text-ink-3 text-xs first:pl-4 sm:first:pl-5 sm:last:pr-5',
        numeric && 'text-right',
        className,
      )}
    />
  );
}

/** The header of a column of buttons: hidden, but named for screen readers. */
export function ActionsTh(props: Omit<ThProps, 'children'>) {
  return (
    <Th {...props}>
      <span className="sr-only">Actions</span>
    </Th>
  );
}

export type TdProps = ComponentProps<'td'> & { numeric?: boolean };

export function Td({ numeric = false, className, ...rest }: TdProps) {
  return (
    <td
      {...rest}
      className={cx(
        'h-11 border-line border-b px-4 py-2 text-ink-2 sm:first:pl-5 sm:last:pr-5',
        numeric && 'nums whitespace-nowrap text-right',
        className,
      )}
    />
  );
}

/** A body row. A table's last row draws no line, because its card does. */
export function Tr({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr {...rest} className={cx('last:[&>td]:border-b-0', className)} />;
}
