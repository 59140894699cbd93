'use client';

import { cx } from '@penstock/ui';
import { useTimeZone } from '../time';
import { presets, type TimeRange } from './time-range';

const BETWEEN = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** Presets from the last 15 minutes to 30 days. A range picked in a chart is shown next to them until a preset is chosen. */
export function RangePicker({ range, onChange }: { range: TimeRange; onChange: (range: TimeRange) => void }) {
  const timeZone = useTimeZone();
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="sr-only">Time range</legend>
      <div className="flex overflow-hidden rounded-md border border-line-strong bg-surface">
        {presets.map(({ name, label }) => {
          const isCurrent = range.kind === 'last' && range.name === name;
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isCurrent}
              onClick={() => onChange({ kind: 'last', name })}
              className={cx(
                'h-8 whitespace-nowrap border-line border-l px-2 font-medium text-[0.8125rem] first:border-l-0 focus-visible:-outline-offset-2 sm:px-2.5',
                isCurrent ? 'bg-solid text-on-solid' : 'text-ink-2 hover:bg-hover hover:text-ink',
              )}
            >
              {label}
            </button>
          );
        })}
      </div>
      {range.kind === 'last' ? null : (
        <span className="nums whitespace-nowrap text-[0.8125rem] text-ink-2">
          {new Intl.DateTimeFormat('en-GB', { ...BETWEEN, timeZone }).formatRange(range.startMs, range.endMs)}
        </span>
      )}
    </fieldset>
  );
}
