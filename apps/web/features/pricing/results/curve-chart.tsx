import { Axes, PlaneLine } from '@penstock/charts/plane';
import { type CurvePoint, SYSTEMS } from '@penstock/pricing';
import { Table, Td, Th, Tr } from '@penstock/ui';
import { memo } from 'react';
import { LazyDetails } from '../lazy-details';
import { prepareCurve } from './prepare-curve';

const IDS = SYSTEMS.map((system) => system.id);
const NAMES = new Map(SYSTEMS.map((system) => [system.id, system.name]));
const dollars = (total: number | null | undefined) =>
  total === null || total === undefined ? '–' : `$${Math.round(total).toLocaleString('en-US')}`;

/** Monthly cost against throughput on logarithmic axes. The two compared systems are highlighted. */
export const CurveChartView = memo(function CurveChartView({
  curve,
  ours,
  rival,
}: {
  curve: readonly CurvePoint[];
  ours: string;
  rival: string;
}) {
  const { lines, xTicks, yTicks } = prepareCurve(curve, IDS);
  const others = lines.filter((line) => line.id !== ours && line.id !== rival);
  const strong = lines.filter((line) => line.id === rival || line.id === ours);
  return (
    <figure>
      <figcaption className="mb-2 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-2">
        <Key colour="var(--data-out)" text={NAMES.get(ours) ?? ours} />
        <Key colour="var(--data-in)" text={NAMES.get(rival) ?? rival} dashed />
        <Key colour="var(--line-strong)" text="other systems" />
      </figcaption>
      <div
        role="img"
        aria-label="Monthly cost by throughput, from 0.01 to 10,000 MiB/s. The table below lists the values."
      >
        <Axes
          xTicks={xTicks}
          yTicks={yTicks}
          xTitle="Write throughput in MiB/s, before compression"
          yTitle="US dollars per month"
          lines={
            <>
              {others.map((line) => (
                <PlaneLine
                  key={line.id}
                  points={line.points}
                  title={NAMES.get(line.id)}
                  colour="var(--line-strong)"
                  width={1.25}
                />
              ))}
              {strong.map((line) => (
                <PlaneLine
                  key={line.id}
                  points={line.points}
                  title={NAMES.get(line.id)}
                  colour={line.id === ours ? 'var(--data-out)' : 'var(--data-in)'}
                  width={2.5}
                  isDashed={line.id !== ours}
                />
              ))}
            </>
          }
        />
      </div>
      <LazyDetails
        className="mt-2 text-sm print:hidden"
        summary={<summary className="rounded text-ink-2">View as table</summary>}
      >
        <div className="mt-2 rounded-lg border border-line">
          <Table label="Monthly cost by throughput" className="text-xs">
            <thead>
              <tr>
                <Th numeric>MiB/s</Th>
                {SYSTEMS.map((system) => (
                  <Th key={system.id} numeric>
                    {system.name}
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {curve
                .filter((_, index) => index % 2 === 0)
                .map((point) => (
                  <Tr key={point.mibPerSecond}>
                    <Td numeric>{point.mibPerSecond.toLocaleString('en-US')}</Td>
                    {SYSTEMS.map((system) => (
                      <Td key={system.id} numeric>
                        {dollars(point.totals[system.id])}
                      </Td>
                    ))}
                  </Tr>
                ))}
            </tbody>
          </Table>
        </div>
      </LazyDetails>
    </figure>
  );
});

function Key({ colour, text, dashed = false }: { colour: string; text: string; dashed?: boolean }) {
  return (
    <span className="flex items-center gap-2">
      <svg aria-hidden="true" width="20" height="4" viewBox="0 0 20 4">
        <line
          x1="0"
          y1="2"
          x2="20"
          y2="2"
          stroke={colour}
          strokeWidth="2.5"
          strokeDasharray={dashed ? '6 3' : undefined}
        />
      </svg>
      {text}
    </span>
  );
}
