'use client';

import { cx, Td, Tr } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect } from 'react';
import { Ago, DateTime } from '../time';
import type { Column } from './column.types';

export interface RowsProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** For tests and styles, e.g. `data-topic`. */
  rowData?: ((row: Row) => Readonly<Record<`data-${string}`, string | number>>) | undefined;
  /** Content below a row, as wide as the table, or null. */
  details?: ((row: Row) => ReactNode) | undefined;
}

/** The body of a table with all rows. */
export function AllRows<Row>({ rows, columns, rowKey, rowData, details }: RowsProps<Row>) {
  return (
    <tbody>
      {rows.map((row) => {
        const below = details?.(row) ?? null;
        return [
          <Tr key={rowKey(row)} className="hover:bg-hover/60" {...rowData?.(row)}>
            {columns.map((column) => (
              <Td
                key={column.key}
                numeric={column.numeric === true}
                stack={column.stack ?? 'detail'}
                {...(column.label === undefined ? {} : { label: column.label })}
                className={cx(column.hasHiddenHeader && 'text-right', column.className)}
              >
                {contentOf(column, row)}
              </Td>
            ))}
          </Tr>,
          below === null ? null : (
            <Tr key={`${rowKey(row)}/details`}>
              <Td colSpan={columns.length} stack="foot" className="bg-inset">
                {below}
              </Td>
            </Tr>
          ),
        ];
      })}
    </tbody>
  );
}

/** About the height of a row of two lines, and the width of the box below which rows stack; see stacking.css. Rows are measured. */
const STACKED_HEIGHT_PX = 66;
const STACKS_BELOW_PX = 576;

interface RowsInViewProps<Row> extends RowsProps<Row> {
  box: RefObject<HTMLElement | null>;
  rowHeightPx: number;
  /** Extra rows drawn on each side of the visible ones. */
  overscanRows: number;
}

/** The rows in view, each a CSS grid, because the browser’s layout of tables needs all rows. */
export function RowsInView<Row>(props: RowsInViewProps<Row>) {
  const { box, rows, columns, rowKey, rowData, details, rowHeightPx, overscanRows } = props;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () =>
      (box.current?.clientWidth ?? Number.POSITIVE_INFINITY) < STACKS_BELOW_PX ? STACKED_HEIGHT_PX : rowHeightPx,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: overscanRows,
    initialRect: { width: 640, height: 576 },
  });
  const lastIndex = rows.length - 1;
  // The browser scrolls smoothly, and stops short of the end when a row turns out to be higher than it was taken to be.
  useEffect(() => {
    const element = box.current;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (target !== element || altKey || ctrlKey || metaKey || shiftKey || (key !== 'Home' && key !== 'End')) {
        return;
      }
      event.preventDefault();
      virtualizer.scrollToIndex(key === 'Home' ? 0 : lastIndex);
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [box, virtualizer, lastIndex]);
  const items = virtualizer.getVirtualItems();
  const gridTemplateColumns = tracksOf(columns);
  return (
    <>
      {/* Rows follow each other in the flow, so that they never overlap, whatever their height. */}
      <tbody role="presentation" className="block" style={{ height: items[0]?.start ?? 0 }} />
      {items.map(({ index, key }) => {
        const row = rows[index];
        const below = row === undefined ? null : (details?.(row) ?? null);
        return row === undefined ? null : (
          <tbody
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="block border-line border-b last-of-type:border-b-0"
          >
            <tr
              // biome-ignore lint/a11y/noRedundantRoles: see Table
              role="row"
              aria-rowindex={index + 2}
              {...rowData?.(row)}
              className={cx('grid h-(--row-height) items-center text-ink-2', below === null && 'hover:bg-hover/60')}
              style={{ gridTemplateColumns }}
            >
              {columns.map((column) => (
                <td
                  key={column.key}
                  // biome-ignore lint/a11y/noRedundantRoles: see Table
                  role="cell"
                  data-stack={column.stack ?? 'detail'}
                  data-label={column.label}
                  className={cx(
                    'truncate px-3 sm:first:pl-5 sm:last:pr-5',
                    (column.numeric === true || column.hasHiddenHeader === true) && 'text-right',
                    column.className,
                  )}
                >
                  {contentOf(column, row)}
                </td>
              ))}
            </tr>
            {below === null ? null : (
              <tr
                // biome-ignore lint/a11y/noRedundantRoles: see Table
                role="row"
                className="block"
              >
                <td
                  // biome-ignore lint/a11y/noRedundantRoles: see Table
                  role="cell"
                  colSpan={columns.length}
                  className="block px-4 pb-4 sm:px-5"
                >
                  {below}
                </td>
              </tr>
            )}
          </tbody>
        );
      })}
      <tbody
        role="presentation"
        className="block"
        style={{ height: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) }}
      />
    </>
  );
}

/** The widths of the columns of a table that draws the rows in view. */
export function tracksOf(columns: readonly { track?: string }[]): string {
  return columns.map(({ track = '1fr' }) => track).join(' ');
}

function contentOf<Row>({ cell, value, none = '–', isAgo = false }: Column<Row>, row: Row): ReactNode {
  if (cell !== undefined) {
    return cell(row);
  }
  const said = value?.(row) ?? null;
  if (said === null) {
    return <span className="text-ink-3">{none}</span>;
  }
  if (said instanceof Date) {
    return isAgo ? <Ago timeMs={said.getTime()} /> : <DateTime timeMs={said.getTime()} />;
  }
  return typeof said === 'number' ? formatCount(said) : String(said);
}
