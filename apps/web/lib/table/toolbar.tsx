'use client';

import { Button, Input, Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '@penstock/ui';
import { formatCountOf, formatPartOf } from '@penstock/units';
import { SlidersHorizontal } from 'lucide-react';
import type { TableView } from './table-view';

interface ToolbarProps {
  label: string;
  noun: string;
  plural: string;
  /** Names the values that the filter looks through; undefined if there is no filter. */
  filterBy: string | undefined;
  /** Columns that may be left out. */
  columns: readonly { key: string; header: string }[];
  shown: number;
  total: number;
  /** Whether more rows can be loaded. */
  isPart: boolean;
  view: TableView;
  onView: (view: TableView) => void;
  onDownload: () => void;
}

/** Above a table: the filter, how many rows there are, the choice of columns and the download. */
export function Toolbar(props: ToolbarProps) {
  const { label, noun, plural, filterBy, columns, shown, total, isPart, view, onView, onDownload } = props;
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-2 sm:px-5 print:hidden">
      {filterBy === undefined ? null : (
        <Input
          type="search"
          aria-label={`Filter ${plural} by ${filterBy}`}
          placeholder={`Filter by ${filterBy}`}
          value={view.filter}
          onChange={(event) => onView({ ...view, filter: event.target.value })}
          className="max-w-64"
        />
      )}
      <p role="status" className="nums mr-auto text-[0.8125rem] text-ink-3">
        {isPart ? `The newest ${formatCountOf(total, noun, plural)}` : formatPartOf(shown, total, noun, plural)}
      </p>
      <Menu
        trigger={
          <Button variant="quiet" size="icon" aria-label={`Columns and download: ${label}`}>
            <SlidersHorizontal aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Columns</MenuLabel>
        {columns.map(({ key, header }) => (
          <MenuCheck
            key={key}
            checked={!view.hidden.includes(key)}
            onChange={(isShown) =>
              onView({
                ...view,
                hidden: isShown ? view.hidden.filter((hidden) => hidden !== key) : [...view.hidden, key],
              })
            }
          >
            {header}
          </MenuCheck>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={onDownload}>Download {formatCountOf(shown, noun, plural)} as CSV</MenuItem>
      </Menu>
    </div>
  );
}
