'use client';

import { Button, cx, EmptyState, Table } from '@penstock/ui';
import { type CSSProperties, type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { saveFile } from '../save-file';
import { filterRows, sortRows } from './arrange-rows';
import type { Column } from './column.types';
import { ColumnHeader } from './column-header';
import { AllRows, RowsInView, type RowsProps, tracksOf } from './rows';
import { csvFileName, tableCsv } from './table-csv';
import { Toolbar } from './toolbar';
import { useTableView } from './use-table-view';

/** Shorter lists need no filter. */
const FILTER_FROM = 8;

/** Settings of a table that draws only the rows in view. Its box scrolls, by keyboard too; the page does not grow. */
interface RowsInViewOptions {
  /** Below this width the columns scroll sideways inside the box, until it is so narrow that rows stack. */
  minWidth: string;
  /** The height and the corners of the box. Without it, the table has a border of its own. */
  className?: string;
  rowHeightPx?: number;
  overscanRows?: number;
}

/** A list that comes in pages. */
interface Pages {
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  /** The button’s label, e.g. `Older entries`. */
  label: string;
}

interface DataTableProps<Row> extends RowsProps<Row> {
  label: string;
  /** A row’s name in counts, e.g. `topic`. */
  noun: string;
  /** By default, the noun with an s. */
  plural?: string;
  /** The table’s name in the URL, empty for a page’s only one. Without it, the URL doesn’t hold the reader’s view. */
  address?: string;
  /** Names the values of the columns with `search`, e.g. `name`. Without it, there is no filter. */
  filterBy?: string;
  /** A list that is short, or whose order is its point: it cannot be sorted, filtered or downloaded. */
  isPlain?: boolean;
  /** Limits the height of the box, say. */
  boxClassName?: string;
  inView?: RowsInViewOptions;
  pages?: Pages;
  /** The buttons of a row. */
  actions?: (row: Row) => ReactNode;
  /** The buttons’ place in a narrow box, `foot` by default, and the width of their column. */
  actionsPlace?: Pick<Column<Row>, 'stack' | 'track' | 'className'>;
}

/**
 * Every list of the app: sortable columns, a filter, a choice of columns, a CSV file of what is shown, and further pages. A list that is
 * not loaded to its end is neither sorted nor filtered here, because the result would be that of a part. QueryState says when there is
 * nothing yet.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, noun, plural = `${noun}s`, rows, columns, address, filterBy } = props;
  const { isPlain = false, boxClassName, inView, pages } = props;
  const [view, setView] = useTableView(address);
  // Draws the pressed control first, then the rows, of which there may be ten thousand.
  const wanted = useDeferredValue(view);
  const isPart = pages?.hasMore === true;
  const drawn = columns.filter((column) => !canHide(column) || !wanted.hidden.includes(column.key));
  if (props.actions !== undefined) {
    drawn.push({ ...ACTIONS, ...props.actionsPlace, cell: props.actions });
  }
  const found = useMemo(
    () => (isPart ? rows : sortRows(filterRows(rows, columns, wanted.filter), columns, wanted.order)),
    [rows, columns, wanted, isPart],
  );
  const box = useRef<HTMLElement>(null);
  const body = { rows: found, columns: drawn, rowKey: props.rowKey, rowData: props.rowData, details: props.details };
  const { minWidth, className, rowHeightPx = 36, overscanRows = 8 } = inView ?? { minWidth: '' };
  const table = (
    <>
      {isPlain ? null : (
        <Toolbar
          label={label}
          noun={noun}
          plural={plural}
          filterBy={isPart || (rows.length < FILTER_FROM && view.filter === '') ? undefined : filterBy}
          columns={columns.filter(canHide)}
          shown={found.length}
          total={rows.length}
          isPart={isPart}
          view={view}
          onView={setView}
          onDownload={() => saveFile(csvFileName(label), tableCsv(drawn, found), 'text/csv')}
        />
      )}
      {found.length === 0 ? (
        <EmptyState
          title={`No ${plural} match`}
          action={<Button onClick={() => setView({ ...view, filter: '' })}>Clear filter</Button>}
        >
          Nothing here contains “{wanted.filter.trim()}”.
        </EmptyState>
      ) : (
        // biome-ignore lint/correctness/noRestrictedElements: this is the list
        <Table
          label={label}
          stacks
          boxRef={box}
          {...(inView === undefined
            ? { boxClassName }
            : {
                boxClassName: cx('overflow-y-auto bg-surface', className ?? 'max-h-96 rounded-b-lg'),
                className: 'nums block min-w-(--table-width) text-[0.8125rem]',
                style: { '--row-height': `${rowHeightPx}px`, '--table-width': minWidth } as CSSProperties,
                rowCount: found.length + 1,
              })}
        >
          <thead
            // biome-ignore lint/a11y/noRedundantRoles: see Table
            role="rowgroup"
            className={cx(
              'sticky top-0 z-10',
              inView === undefined ? 'bg-surface' : 'block border-line border-b bg-inset',
            )}
          >
            <tr
              // biome-ignore lint/a11y/noRedundantRoles: see Table
              role="row"
              {...(inView === undefined
                ? {}
                : {
                    'aria-rowindex': 1,
                    className: 'grid h-9 items-center',
                    style: { gridTemplateColumns: tracksOf(drawn) },
                  })}
            >
              {drawn.map((column) => (
                <ColumnHeader
                  key={column.key}
                  column={column}
                  isSortable={!isPart && !isPlain && column.value !== undefined}
                  isInGrid={inView !== undefined}
                  order={view.order}
                  onOrder={(order) => setView({ ...view, order })}
                />
              ))}
            </tr>
          </thead>
          {inView === undefined ? (
            <AllRows {...body} />
          ) : (
            <RowsInView {...body} box={box} rowHeightPx={rowHeightPx} overscanRows={overscanRows} />
          )}
        </Table>
      )}
      {isPart ? (
        <div className="flex justify-center border-line border-t p-3 print:hidden">
          <Button size="sm" pending={pages.isLoading} onClick={pages.onMore}>
            {pages.isLoading ? 'Loading…' : pages.label}
          </Button>
        </div>
      ) : null}
    </>
  );
  return inView !== undefined && className === undefined ? (
    <div className="rounded-lg border border-line">{table}</div>
  ) : (
    table
  );
}

const ACTIONS = { key: 'actions', header: 'Actions', hasHiddenHeader: true, stack: 'foot' } as const;

/** The title of a row stays, and so do its buttons. */
function canHide({ stack, value }: { stack?: string; value?: unknown }): boolean {
  return stack !== 'title' && value !== undefined;
}
