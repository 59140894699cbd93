'use client';

import { cx, type Stack } from '@penstock/ui';
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useMemo, useRef, useState } from 'react';
import { ColumnHeader } from './column-header';
import { type SortOrder, sortRows } from './sort-rows';

const ROW_HEIGHT_PX = 36;
/** About the height of a row of two lines, and the width of the box below which rows stack; see stacking.css. Rows are measured. */
const STACKED_HEIGHT_PX = 66;
const STACKS_BELOW_PX = 576;
const OVERSCAN_ROWS = 8;

export interface VirtualColumn<Row> {
  key: string;
  header: string;
  /** Column width as a CSS grid track. */
  track: string;
  numeric?: boolean;
  /** The header is for screen readers only. */
  hasHiddenHeader?: boolean;
  /** Where the cell goes in a narrow box; `detail` by default. */
  stack?: Stack;
  /** Names the value in a narrow box. */
  label?: string;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable: compares two rows in ascending order. */
  compare?: (left: Row, right: Row) => number;
}

export interface VirtualTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly VirtualColumn<Row>[];
  rowKey: (row: Row) => string | number;
  /** Below this width the columns scroll sideways inside the box, until it is so narrow that rows stack. */
  minWidth: string;
  /** Replaces the box's default height and border. */
  className?: string;
  rowHeightPx?: number;
  /** Extra rows rendered on each side of the visible ones. */
  overscanRows?: number;
  /** For tests and styles, e.g. `data-topic`. */
  rowData?: (row: Row) => Readonly<Record<`data-${string}`, string | number>>;
  /** Full-width content below a row, or null. */
  details?: (row: Row) => ReactNode;
}

/** A table of any length that renders only the visible rows. The box scrolls, by keyboard too; the page does not grow. */
export function VirtualTable<Row>({
  label,
  rows,
  columns,
  rowKey,
  minWidth,
  className = 'max-h-96 rounded-lg border border-line',
  rowHeightPx = ROW_HEIGHT_PX,
  overscanRows = OVERSCAN_ROWS,
  rowData,
  details,
}: VirtualTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [order, setOrder] = useState<SortOrder | null>(null);
  const compare = columns.find(({ key }) => key === order?.column)?.compare;
  const sorted = useMemo(
    () => (order === null || compare === undefined ? rows : sortRows(rows, compare, order.isDescending)),
    [rows, compare, order],
  );
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () =>
      (box.current?.clientWidth ?? Number.POSITIVE_INFINITY) < STACKS_BELOW_PX ? STACKED_HEIGHT_PX : rowHeightPx,
    getItemKey: (index) => {
      const row = sorted[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: overscanRows,
    initialRect: { width: 640, height: 576 },
  });
  const gridTemplateColumns = columns.map((column) => column.track).join(' ');
  const cells = (row: Row): ReactNode =>
    columns.map((column) => (
      // biome-ignore lint/a11y/useSemanticElements: part of the table below
      <div
        key={column.key}
        role="cell"
        data-stack={column.stack ?? 'detail'}
        data-label={column.label}
        className={cx('truncate px-3 sm:first:pl-5 sm:last:pr-5', column.numeric && 'text-right')}
      >
        {column.cell(row)}
      </div>
    ));
  const drawn = (item: VirtualItem): ReactNode => {
    const row = sorted[item.index];
    if (row === undefined) {
      return null;
    }
    const measured = { ref: virtualizer.measureElement, 'data-index': item.index };
    const below = details?.(row) ?? null;
    if (details === undefined) {
      return (
        // biome-ignore lint/a11y/useSemanticElements: rows outside the view do not exist, so the browser's own table layout cannot hold
        // biome-ignore lint/a11y/useFocusableInteractive: rows are read-only
        <div
          key={item.key}
          role="row"
          aria-rowindex={item.index + 2}
          data-stacks
          {...measured}
          {...rowData?.(row)}
          className="grid h-(--row-height) items-center border-line border-b text-ink-2"
          style={{ gridTemplateColumns }}
        >
          {cells(row)}
        </div>
      );
    }
    return (
      // biome-ignore lint/a11y/useSemanticElements: as above
      <div key={item.key} role="rowgroup" {...measured} className="border-line border-b">
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: rows are read-only; their contents take the focus */}
        <div
          role="row"
          aria-rowindex={item.index + 2}
          data-stacks
          {...rowData?.(row)}
          className={cx('grid h-(--row-height) items-center text-ink-2', below === null && 'hover:bg-hover/60')}
          style={{ gridTemplateColumns }}
        >
          {cells(row)}
        </div>
        {below === null ? null : (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div role="row">
            {/* biome-ignore lint/a11y/useSemanticElements: as above */}
            <div role="cell" aria-colspan={columns.length} className="px-4 pb-4 sm:px-5">
              {below}
            </div>
          </div>
        )}
      </div>
    );
  };
  const drawnItems = virtualizer.getVirtualItems();
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className={cx('stacking overflow-auto bg-surface focus-visible:-outline-offset-2', className)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows outside the view do not exist, so the browser's own table layout cannot hold */}
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={{ '--row-height': `${rowHeightPx}px`, '--table-width': minWidth } as CSSProperties}
        className="nums min-w-(--table-width) text-[0.8125rem]"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: part of the table above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: rows are read-only */}
        <div
          role="row"
          aria-rowindex={1}
          data-stacks-head
          className="sticky top-0 z-10 grid h-9 items-center border-line border-b bg-inset text-ink-3 text-xs"
          style={{ gridTemplateColumns }}
        >
          {columns.map((column) => (
            <ColumnHeader key={column.key} column={column} order={order} onOrder={setOrder} />
          ))}
        </div>
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {/* Rows follow each other in the flow, so that they never overlap, whatever their height. */}
          <div role="presentation" style={{ transform: `translateY(${drawnItems[0]?.start ?? 0}px)` }}>
            {drawnItems.map(drawn)}
          </div>
        </div>
      </div>
    </section>
  );
}
