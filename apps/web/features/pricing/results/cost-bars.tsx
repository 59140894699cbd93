import { Bar, type Stripe, stackedStripes } from '@penstock/charts/bars';
import { COMPONENTS } from '@penstock/pricing';
import { cx } from '@penstock/ui';
import { memo } from 'react';
import { COMPONENT_COLOURS } from './component-colours';
import type { BarRow } from './prepare-bars';

/** Monthly cost of every system, stacked by component, cheapest first. */
export const CostBars = memo(function CostBars({
  rows,
  rival,
  ours,
}: {
  rows: readonly BarRow[];
  rival: string;
  ours: string;
}) {
  return (
    <div>
      <ul className="mb-4 flex flex-wrap gap-x-4 gap-y-1.5 text-ink-2 text-xs" aria-label="Component colors">
        {COMPONENTS.map((component) => (
          <li key={component} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: COMPONENT_COLOURS[component] }} />
            {component}
          </li>
        ))}
      </ul>
      <ol className="flex flex-col gap-3" aria-label="Monthly cost by system, lowest first">
        {rows.map((row) => (
          <Row key={row.id} row={row} marked={row.id === ours || row.id === rival} />
        ))}
      </ol>
    </div>
  );
});

/** A fixed width of eight digits, so that a new total lays out only its own line. Longer totals extend to the left. */
const STEADY =
  'flex h-5 w-32 shrink-0 items-baseline justify-end gap-1 whitespace-nowrap [contain:size_layout_style] print:[contain:none]';

/** The smallest visible width. */
const LEAST_PERCENT = 0.5;

/** The stacked bar of a row. */
function stripesOf({ width, segments }: BarRow): Stripe[] {
  return stackedStripes(
    segments.map(({ component, share }) => ({
      size: (width * share) / 100,
      colour: COMPONENT_COLOURS[component],
    })),
    LEAST_PERCENT,
  );
}

function Row({ row, marked }: { row: BarRow; marked: boolean }) {
  const words = `${row.name}: ${row.segments.map((segment) => `${segment.component} ${segment.text}`).join(', ')}`;
  return (
    <li data-system={row.id} className="break-inside-avoid [contain:layout_style]">
      <div className="flex items-center justify-between gap-4 text-sm">
        <span
          className={cx(row.ours ? 'font-semibold text-accent-ink' : marked ? 'font-semibold text-ink' : 'text-ink-2')}
        >
          {row.name}
        </span>
        {row.totalText === null ? (
          <span className="text-right text-ink-3 text-xs">{row.reason}</span>
        ) : (
          <span className={cx('nums font-semibold text-ink', STEADY)}>
            {row.totalText}
            <span className="font-normal text-ink-3 text-xs">/ month</span>
          </span>
        )}
      </div>
      {row.totalText === null ? null : <Bar stripes={stripesOf(row)} label={words} className="mt-1 h-4" />}
    </li>
  );
}
