'use client';

import { cx } from '@penstock/ui';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';

const ROW_HEIGHT_PX = 36;
const OVERSCAN_ROWS = 8;

export type VirtualColumn<Row> = {
  key: string;
  header: string;
  /** Share of the width, as a CSS grid track. */
  track: string;
  numeric?: boolean;
  cell: (row: Row) => ReactNode;
};

export type VirtualTableProps<Row> = {
  label: string;
  rows: readonly Row[];
  columns: readonly VirtualColumn<Row>[];
  rowKey: (row: Row) => string | number;
  /** Below it the columns scroll sideways inside the box. */
  minWidth: string;
  /** Of the box, in the place of its usual height and border. */
  className?: string;
};

/** A table of any length that draws only the rows in sight. The box scrolls, by keyboard too; a long page does not. */
export function VirtualTable<Row>({
  label,
  rows,
  columns,
  rowKey,
  minWidth,
  className = 'max-h-96 rounded-lg border border-line',
}: VirtualTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    initialRect: { width: 640, height: 360 },
  });
  const gridTemplateColumns = columns.map((column) => column.track).join(' ');
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className={cx('overflow-auto bg-surface focus-visible:-outline-offset-2', className)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows outside the view do not exist, so the browser's own table layout cannot hold */}
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={{ minWidth }}
        className="nums text-[0.8125rem]"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: part of the table above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: rows are read, not operated */}
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 grid h-9 items-center border-line border-b bg-inset text-ink-3 text-xs"
          style={{ gridTemplateColumns }}
        >
          {columns.map((column) => (
            // biome-ignore lint/a11y/useSemanticElements: part of the table above
            // biome-ignore lint/a11y/useFocusableInteractive: headers are read, not operated
            <div
              key={column.key}
              role="columnheader"
              className={cx('px-3 font-medium', column.numeric && 'text-right')}
            >
              {column.header}
            </div>
          ))}
        </div>
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              // biome-ignore lint/a11y/useSemanticElements: part of the table above
              // biome-ignore lint/a11y/useFocusableInteractive: rows are read, not operated
              <div
                key={rowKey(row)}
                role="row"
                aria-rowindex={item.index + 2}
                className="absolute inset-x-0 grid items-center border-line border-b text-ink-2"
                style={{ gridTemplateColumns, height: item.size, transform: `translateY(${item.start}px)` }}
              >
                {columns.map((column) => (
                  // biome-ignore lint/a11y/useSemanticElements: part of the table above
                  <div key={column.key} role="cell" className={cx('truncate px-3', column.numeric && 'text-right')}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
