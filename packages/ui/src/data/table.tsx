import type { ComponentProps, CSSProperties, ReactNode, Ref } from 'react';
import { cx } from '../cx.ts';

export interface TableProps {
  label: string;
  children: ReactNode;
  className?: string;
  /** In a narrow box, each row becomes a few lines, as the `stack` of its cells says. Otherwise the columns scroll sideways. */
  stacks?: boolean;
  /** A box of limited height scrolls its rows. */
  boxClassName?: string | undefined;
  boxRef?: Ref<HTMLElement>;
  style?: CSSProperties;
  /** Rows with the header, if not all of them are drawn. */
  rowCount?: number;
}

/**
 * A table in its own box, so that the page never scrolls sideways. The box is focusable, so that it can be scrolled by keyboard.
 */
export function Table(props: TableProps) {
  const { label, children, className, stacks = false, boxClassName, boxRef, style, rowCount } = props;
  return (
    <section
      ref={boxRef}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className={cx('relative overflow-x-auto focus-visible:-outline-offset-2', stacks && 'stacking', boxClassName)}
    >
      <table
        // biome-ignore lint/a11y/noRedundantRoles: browsers drop the roles of a table whose rows are not laid out as such
        role="table"
        aria-rowcount={rowCount}
        style={style}
        className={cx('w-full border-collapse text-left text-sm', className)}
      >
        <caption className="sr-only">{label}</caption>
        {children}
      </table>
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

/**
 * The place of a cell in a stacked row: the title and its neighbor share the first line, details flow below, and the
 * foot has a line of its own. See stacking.css.
 */
export type Stack = 'title' | 'aside' | 'detail' | 'foot' | 'none';

export type TdProps = ComponentProps<'td'> & {
  numeric?: boolean;
  stack?: Stack;
  /** Names the value in a stacked row, where the column's header is out of sight. */
  label?: string;
};

export function Td({ numeric = false, stack = 'detail', label, className, ...rest }: TdProps) {
  return (
    <td
      // biome-ignore lint/a11y/noRedundantRoles: see Table
      role="cell"
      data-stack={stack}
      data-label={label}
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
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <tr role="row" {...rest} className={cx('last:[&>td]:border-b-0', className)} />
  );
}
