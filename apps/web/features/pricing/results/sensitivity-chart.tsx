import type { SensitivityRow } from '@penstock/pricing';
import { memo } from 'react';

const SHOWN = 10;
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
  const bar = (value: number | null) => {
    const change = ((value ?? saved) - saved) / widest;
    const size = Math.min(1, Math.abs(change)) * 50;
    return { left: `${change < 0 ? 50 - size : 50}%`, width: `${Math.max(size, 0.3)}%` };
  };
  return (
    <div>
      <p className="mb-3 text-ink-2 text-sm">
        Against {rivalName}, Penstock saves <strong className="nums font-semibold text-ink">{dollars(saved)}</strong> a
        month. Each row halves and doubles one assumption, or turns an option off and on, with all others unchanged.
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
            <div aria-hidden className="relative mt-1 h-3 rounded-sm bg-inset">
              <span
                className="absolute top-0 h-1.5 rounded-sm"
                style={{ ...bar(row.savedLow), background: 'var(--data-in)' }}
              />
              <span
                className="absolute bottom-0 h-1.5 rounded-sm"
                style={{ ...bar(row.savedHigh), background: 'var(--data-out)' }}
              />
              <span className="absolute inset-y-0 left-1/2 w-px bg-ink-3" />
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
