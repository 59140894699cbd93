import { COMPONENTS, type Estimate } from '@penstock/pricing';
import { cx } from '@penstock/ui';
import { COMPONENT_COLOURS } from './component-colours';
import { type BarRow, prepareBars } from './prepare-bars';

/** Monthly cost of every system, stacked by component, cheapest first. */
export function CostBars({ estimate, rival, ours }: { estimate: Estimate; rival: string; ours: string }) {
  const rows = prepareBars(estimate);
  return (
    <div>
      <ul className="mb-4 flex flex-wrap gap-x-4 gap-y-1.5 text-ink-2 text-xs" aria-label="Colours of the components">
        {COMPONENTS.map((component) => (
          <li key={component} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: COMPONENT_COLOURS[component] }} />
            {component}
          </li>
        ))}
      </ul>
      <ol className="flex flex-col gap-3" aria-label="Monthly cost per system, cheapest first">
        {rows.map((row) => (
          <Bar key={row.id} row={row} marked={row.id === ours || row.id === rival} />
        ))}
      </ol>
    </div>
  );
}

function Bar({ row, marked }: { row: BarRow; marked: boolean }) {
  return (
    <li data-system={row.id} className="break-inside-avoid">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span
          className={cx(row.ours ? 'font-semibold text-accent-ink' : marked ? 'font-semibold text-ink' : 'text-ink-2')}
        >
          {row.name}
        </span>
        {row.totalText === null ? (
          <span className="text-right text-ink-3 text-xs">{row.reason}</span>
        ) : (
          <span className="nums font-semibold text-ink">
            {row.totalText}
            <span className="font-normal text-ink-3 text-xs"> / month</span>
          </span>
        )}
      </div>
      {row.totalText === null ? null : (
        <div
          className="mt-1 h-4 rounded-sm bg-inset"
          role="img"
          aria-label={`${row.name}: ${row.segments.map((segment) => `${segment.component} ${segment.text}`).join(', ')}`}
        >
          <div
            className="flex h-full gap-px overflow-hidden rounded-sm"
            style={{ width: `${Math.max(row.width, 0.5)}%` }}
          >
            {row.segments.map((segment) => (
              <span
                key={segment.component}
                title={`${segment.component}: ${segment.text}`}
                className="block h-full min-w-px"
                style={{
                  width: `${segment.share}%`,
                  background: COMPONENT_COLOURS[segment.component],
                  printColorAdjust: 'exact',
                }}
              />
            ))}
          </div>
        </div>
      )}
    </li>
  );
}
