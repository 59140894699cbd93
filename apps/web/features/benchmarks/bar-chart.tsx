import { Bar } from '@penstock/charts/bars';
import type { MeasuredBar } from './published-measurements';

/** The smallest visible width. */
const LEAST_PERCENT = 0.5;

/** Horizontal bars from zero, each labelled with its value. */
export function BarChart({ bars, unit, label }: { bars: readonly MeasuredBar[]; unit: string; label: string }) {
  const highest = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  return (
    <ul className="mt-3 flex flex-col gap-2" aria-label={`${label}, ${unit}`}>
      {bars.map((bar) => (
        <li key={bar.label} className="text-[0.8125rem]">
          <div className="flex justify-between gap-3">
            <span className="text-ink-2">{bar.label}</span>
            <span className="nums whitespace-nowrap font-medium text-ink">
              {bar.text} <span className="font-normal text-ink-3 text-xs">{unit}</span>
            </span>
          </div>
          <Bar
            stripes={[
              {
                from: 0,
                to: Math.max((bar.value / highest) * 100, LEAST_PERCENT),
                colour: bar.ours ? 'var(--data-out)' : 'var(--data-in)',
              },
            ]}
            className="mt-0.5 h-2"
          />
        </li>
      ))}
    </ul>
  );
}
