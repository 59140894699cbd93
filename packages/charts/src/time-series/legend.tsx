'use client';

import { cx } from '@penstock/ui';
import { useState } from 'react';
import { useCrosshair } from './crosshair.tsx';
import { COLOUR_COUNT } from './palette.ts';
import { type ChartLine, stepAt, type TimeSeriesData } from './prepare-time-series.ts';
import { valueText } from './value-scale.ts';

export interface LegendProps {
  /** Data of the whole chart, even when one line is selected. */
  data: TimeSeriesData;
  /** Key of the selected line. */
  isolated: string | null;
  onIsolate: (key: string | null) => void;
}

/** The lines with their values at the crosshair, or their newest. Clicking one shows it alone; clicking it again shows all. */
export function Legend({ data, isolated, onIsolate }: LegendProps) {
  const [showsAll, setShowsAll] = useState(false);
  const hidden = data.lines.length - COLOUR_COUNT;
  const shown =
    showsAll || hidden <= 0 ? data.lines : data.lines.filter(({ key }, at) => at < COLOUR_COUNT || key === isolated);
  return (
    <ul className="-mx-1.5 flex max-h-40 flex-wrap items-center gap-x-1 gap-y-0.5 overflow-y-auto text-[0.8125rem] text-ink-2">
      {shown.map((line) => (
        <li key={line.key} className="min-w-0">
          <button
            type="button"
            aria-pressed={isolated === line.key}
            title={isolated === line.key ? 'Show all lines' : `Show ${line.label} alone`}
            onClick={() => onIsolate(isolated === line.key ? null : line.key)}
            className={cx(
              'flex min-h-6 max-w-full items-center gap-1.5 rounded px-1.5 hover:bg-hover',
              isolated !== null && isolated !== line.key && 'text-ink-3',
            )}
          >
            <span
              aria-hidden
              className="h-0.5 w-3.5 shrink-0 rounded-full"
              style={{ background: isolated === null || isolated === line.key ? line.colour : 'var(--line-strong)' }}
            />
            <span className="truncate">{line.label}</span>
            <Value data={data} line={line} />
          </button>
        </li>
      ))}
      {hidden <= 0 ? null : (
        <li>
          <button
            type="button"
            aria-expanded={showsAll}
            onClick={() => setShowsAll((before) => !before)}
            className="min-h-6 rounded px-1.5 font-medium text-accent-ink hover:bg-hover"
          >
            {showsAll ? 'Fewer' : `${hidden} more`}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Subscribes to the crosshair itself, so that the rest of the legend does not render again. */
function Value({ data, line }: { data: TimeSeriesData; line: ChartLine }) {
  const { timeMs } = useCrosshair();
  const step = timeMs === null ? null : stepAt(data, timeMs);
  const value = step === null ? line.latest : (line.values[step] ?? null);
  return (
    <span className="nums whitespace-nowrap font-medium text-ink">
      {value === null ? '–' : valueText(data.unit, value)}
    </span>
  );
}
