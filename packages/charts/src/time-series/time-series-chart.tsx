'use client';

import { Button, Menu, MenuItem } from '@penstock/ui';
import { type ReactNode, useMemo, useState } from 'react';
import { isolateLine } from './isolate-line.ts';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';
import type { TimeSeriesData, TimeWindow } from './prepare-time-series.ts';
import { SeriesTable } from './series-table.tsx';
import { toCsv } from './to-csv.ts';

export interface TimeSeriesChartProps {
  title: string;
  /** A note under the title. */
  note?: ReactNode;
  data: TimeSeriesData;
  /** Name of the CSV file, without extension. */
  fileName: string;
  /** Shown when nothing was measured. */
  empty: string;
  onZoom?: ((window: TimeWindow) => void) | undefined;
}

/** Draws the result of prepareTimeSeries, with the same figures as a table and as a file. Needs a CrosshairProvider above it. */
export function TimeSeriesChart({ title, note, data, fileName, empty, onZoom }: TimeSeriesChartProps) {
  const [asTable, setAsTable] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  // Ignores a selected line that no longer exists (a zone without agents).
  const isolated = data.lines.some(({ key }) => key === chosen) ? chosen : null;
  const shown = useMemo(() => (isolated === null ? data : isolateLine(data, isolated)), [data, isolated]);
  return (
    <section aria-label={title} className="min-w-0 rounded-xl border border-line bg-surface p-4 shadow-raised sm:p-5">
      <header className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold text-[0.9375rem] text-ink leading-6">{title}</h2>
          {note === undefined ? null : <p className="text-[0.8125rem] text-ink-3 leading-5">{note}</p>}
        </div>
        {data.measured ? (
          <Menu
            trigger={
              <Button
                variant="quiet"
                size="icon"
                aria-label={`${title}: table and file`}
                className="-mt-1.5 -mr-2 shrink-0"
              >
                <Dots />
              </Button>
            }
          >
            <MenuItem onSelect={() => setAsTable((before) => !before)}>
              {asTable ? 'Show as chart' : 'Show as table'}
            </MenuItem>
            <MenuItem onSelect={() => saveFile(`${fileName}.csv`, toCsv(data))}>Download CSV</MenuItem>
          </Menu>
        ) : null}
      </header>
      {data.measured ? (
        <div className="mt-2 flex flex-col gap-2">
          <Legend data={data} isolated={isolated} onIsolate={setChosen} />
          {asTable ? <SeriesTable data={shown} label={title} /> : <Plot data={shown} label={title} onZoom={onZoom} />}
        </div>
      ) : (
        <p className="flex min-h-32 items-center justify-center px-4 text-center text-ink-3 text-sm">{empty}</p>
      )}
    </section>
  );
}

function Dots() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" fill="currentColor">
      <circle cx="3" cy="8" r="1.4" />
      <circle cx="8" cy="8" r="1.4" />
      <circle cx="13" cy="8" r="1.4" />
    </svg>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
