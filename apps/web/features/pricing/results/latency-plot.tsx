import { Axes, LabelLead, LEAD } from '@penstock/charts/plane';
import { cx } from '@penstock/ui';
import { memo } from 'react';
import type { LatencyMark, LatencyPlot } from './prepare-latency-plot';

const colourOf = (mark: LatencyMark, rival: string) =>
  mark.ours ? 'var(--data-out)' : mark.id === rival ? 'var(--data-in)' : 'var(--ink-3)';

function labelPlace(mark: LatencyMark) {
  return mark.side === 'left'
    ? { right: `${100 - mark.x + LEAD}%`, top: `${mark.labelY}%` }
    : { left: `${mark.x + LEAD}%`, top: `${mark.labelY}%` };
}

/** One mark per system; each label links to the system's bill. */
export const LatencyPlotView = memo(function LatencyPlotView({
  plot: { marks, without, xTicks, yTicks },
  rival,
}: {
  plot: LatencyPlot;
  rival: string;
}) {
  return (
    <figure className="px-4 pt-1 pb-5 sm:px-5">
      <figcaption className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-2">
        <span className="flex items-center gap-2">
          <Dot colour="var(--ink-3)" estimated={false} /> published
        </span>
        <span className="flex items-center gap-2">
          <Dot colour="var(--ink-3)" estimated /> estimated
        </span>
        <span>Lower left is better.</span>
      </figcaption>
      <Axes
        xTicks={xTicks}
        yTicks={yTicks}
        xTitle="End-to-end latency, p99"
        yTitle="US dollars per month"
        lines={
          <g strokeWidth="1">
            {marks.map((mark) => (
              <LabelLead key={mark.id} {...mark} />
            ))}
          </g>
        }
      >
        <ul aria-label="Cost and end-to-end p99 latency by system">
          {marks.map((mark, index) => (
            <li key={mark.id} data-mark={mark.id}>
              <span
                className="absolute -translate-x-1/2 -translate-y-1/2"
                style={{ left: `${mark.x}%`, top: `${mark.y}%` }}
              >
                <Dot colour={colourOf(mark, rival)} estimated={mark.estimated} />
              </span>
              <span aria-hidden className="absolute -translate-y-1/2 px-1 leading-4 sm:hidden" style={labelPlace(mark)}>
                {index + 1}
              </span>
              <a
                href={`#bill-${mark.id}`}
                title={`${mark.name}: ${mark.costText}, ${mark.latencyText}`}
                className={cx(
                  'absolute -translate-y-1/2 whitespace-nowrap rounded-sm px-1 leading-4 hover:underline max-sm:hidden',
                  mark.ours
                    ? 'font-semibold text-accent-ink'
                    : mark.id === rival
                      ? 'font-semibold text-ink'
                      : 'text-ink-2',
                )}
                style={labelPlace(mark)}
              >
                {mark.shortName}
                <span className="sr-only">
                  : {mark.costText} per month, {mark.estimated ? 'estimated ' : ''}
                  {mark.latencyText}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </Axes>
      {/* Numbers in a narrow plot are too close together to be links. */}
      <ol className="mt-3 flex flex-col text-ink-2 text-xs sm:hidden">
        {marks.map((mark, index) => (
          <li key={mark.id}>
            <a href={`#bill-${mark.id}`} className="flex min-h-7 items-center justify-between gap-3 hover:underline">
              <span>
                <span className="nums inline-block w-5 text-ink-3">{index + 1}</span>
                {mark.shortName}
              </span>
              <span className="nums">
                {mark.costText}, {mark.estimated ? 'estimated ' : ''}
                {mark.latencyText}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {without.length === 0 ? null : (
        <p className="mt-3 text-[0.8125rem] text-ink-3 leading-5">
          Not shown, because no single figure is published: {without.join(', ')}.
        </p>
      )}
    </figure>
  );
});

/** A filled circle: published. A ring: estimated. */
function Dot({ colour, estimated }: { colour: string; estimated: boolean }) {
  return (
    <span
      aria-hidden
      className="block size-2.5 rounded-full border-2"
      style={{
        borderColor: colour,
        background: estimated ? 'var(--surface)' : colour,
        printColorAdjust: 'exact',
      }}
    />
  );
}
