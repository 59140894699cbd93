'use client';

import { cx } from '@penstock/ui';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { nextOrder, type SortOrder } from './sort-rows';

export interface ColumnHeaderProps {
  column: { key: string; header: string; numeric?: boolean; hasHiddenHeader?: boolean; compare?: unknown };
  order: SortOrder | null;
  onOrder: (order: SortOrder | null) => void;
}

/** A sortable column's header. Clicking it sorts, then reverses the order, then removes the sorting. */
export function ColumnHeader({ column, order, onOrder }: ColumnHeaderProps) {
  const { key, header, numeric = false, hasHiddenHeader = false, compare } = column;
  const own = order?.column === key ? order : null;
  const Arrow = own?.isDescending === true ? ArrowDown : ArrowUp;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a table of roles
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside takes the focus
    <div
      role="columnheader"
      {...(compare === undefined
        ? {}
        : { 'aria-sort': own === null ? 'none' : own.isDescending ? 'descending' : 'ascending' })}
      className={cx('px-3 font-medium sm:first:pl-5 sm:last:pr-5', numeric && 'text-right')}
    >
      {compare === undefined ? (
        <span className={hasHiddenHeader ? 'sr-only' : ''}>{header}</span>
      ) : (
        <button
          type="button"
          onClick={() => onOrder(nextOrder(order, { column: key, isDescending: numeric }))}
          className={cx(
            'inline-flex items-center gap-1 rounded hover:text-ink',
            own !== null && 'text-ink',
            numeric && 'flex-row-reverse',
          )}
        >
          {header}
          <Arrow aria-hidden className={cx('size-3', own === null && 'invisible')} />
        </button>
      )}
    </div>
  );
}
