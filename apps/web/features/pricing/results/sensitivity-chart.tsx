import { Bar, type Stripe } from '@penstock/charts/bars';
import type { SensitivityRow } from '@penstock/pricing';
import { memo } from 'react';

const SHOWN = 10;
/** The least that can be seen. */
const LEAST_PERCENT = 0.3;
const dollars = (amount: number | null) =>
  amount === null
    ? 'not available'
    : `${amount < 0 ? '−' : ''}$${Math.abs(Math.round(amount)).toLocaleString('en-US')}`;

/** What half and double of each assumption do to the saving; the strongest first. */
export const SensitivityChart = memo(function SensitivityChart({
  rows,
  saved,
  rivalName,
}: {
  rows: readonly SensitivityRow[];
  saved: number | null;
  rivalName: string;
}) {
  if (saved === null) {
    return <p className="text-ink-2 text-sm">One of the two systems is not available with these inputs.</p>;
  }
  const shown = rows.slice(0, SHOWN);
  const widest = Math.max(1, ...shown.map((row) => row.swing));
  const stripesOf = (value: number | null, colour: string): Stripe[] => {
    const change = ((value ?? saved) - saved) / widest;
    const size = Math.min(1, Math.abs(change)) * 50;
    const from = change < 0 ? 50 - size : 50;
    return [{ from, to: from + Math.max(size, LEAST_PERCENT), colour }];
  };
  return (
    <div>
      <p className="mb-3 text-ink-2 text-sm">
        Compared with {rivalName}, Penstock saves{' '}
        <strong className="nums font-semibold text-ink">{dollars(saved)}</strong> per month. Each row halves and doubles
        one assumption, or turns an option off and on, with all others unchanged.
      </p>
      <ol className="flex flex-col gap-2.5" aria-label="Assumptions by effect on savings, largest first">
        {shown.map((row) => (
          <li key={row.key} className="text-[0.8125rem]">
            <div className="flex flex-wrap justify-between gap-x-4">
              <span className="text-ink">{row.label}</span>
              <span className="nums text-ink-3">
                {row.low}: saves {dollars(row.savedLow)} · {row.high}: saves {dollars(row.savedHigh)}
              </span>
            </div>
            <div className="relative mt-1 overflow-hidden rounded-sm">
              <Bar stripes={stripesOf(row.savedLow, 'var(--data-in)')} className="h-1.5" />
              <Bar stripes={stripesOf(row.savedHigh, 'var(--data-out)')} className="h-1.5" />
              <span aria-hidden className="absolute inset-y-0 left-1/2 w-px bg-ink-3" />
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-ink-3 text-xs">
        Blue: half, or off. Copper: double, or on. Bars to the right mean higher savings.
      </p>
    </div>
  );
});
