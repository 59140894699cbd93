'use client';

import { cx } from '@penstock/ui';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { nextOrder, type SortOrder } from './table-view';

interface ColumnHeaderProps {
  column: { key: string; header: string; numeric?: boolean; hasHiddenHeader?: boolean };
  isSortable: boolean;
  /** In a table whose rows are CSS grids. */
  isInGrid: boolean;
  order: SortOrder | null;
  onOrder: (order: SortOrder | null) => void;
}

/** A column’s header. Clicking it sorts, then reverses the order, then removes the sorting. */
export function ColumnHeader({ column, isSortable, isInGrid, order, onOrder }: ColumnHeaderProps) {
  const { key, header, numeric = false, hasHiddenHeader = false } = column;
  const own = order?.column === key ? order : null;
  const Arrow = own?.isDescending === true ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      // biome-ignore lint/a11y/noRedundantRoles: see Table
      role="columnheader"
      {...(isSortable ? { 'aria-sort': own === null ? 'none' : own.isDescending ? 'descending' : 'ascending' } : {})}
      className={cx(
        'whitespace-nowrap font-medium text-ink-3 text-xs sm:first:pl-5 sm:last:pr-5',
        isInGrid ? 'px-3' : 'h-9 border-line border-b px-4',
        numeric && 'text-right',
      )}
    >
      {isSortable ? (
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
      ) : (
        <span className={hasHiddenHeader ? 'sr-only' : ''}>{header}</span>
      )}
    </th>
  );
}
