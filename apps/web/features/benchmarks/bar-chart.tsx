import type { Bar } from './published-measurements';

/** Horizontal bars from zero; the number stands at each. */
export function BarChart({ bars, unit, label }: { bars: readonly Bar[]; unit: string; label: string }) {
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
          <div aria-hidden className="mt-0.5 h-2 rounded-sm bg-inset">
            <div
              className="h-full rounded-sm"
              style={{
                width: `${Math.max((bar.value / highest) * 100, 0.5)}%`,
                background: bar.ours ? 'var(--data-out)' : 'var(--data-in)',
                printColorAdjust: 'exact',
              }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
