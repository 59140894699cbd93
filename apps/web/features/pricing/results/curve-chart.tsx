import { type CurvePoint, SYSTEMS } from '@penstock/pricing';
import { Table, Td, Th, Tr } from '@penstock/ui';
import { memo } from 'react';
import { CHART, prepareCurve } from './prepare-curve';

const IDS = SYSTEMS.map((system) => system.id);
const NAMES = new Map(SYSTEMS.map((system) => [system.id, system.name]));
const dollars = (total: number | null | undefined) =>
  total === null || total === undefined ? '–' : `$${Math.round(total).toLocaleString('en-US')}`;

/** Monthly cost against throughput, both logarithmic; the two systems that are compared stand out. */
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
        <Key colour="var(--line-strong)" text="the others" />
      </figcaption>
      <svg
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        className="h-auto w-full"
        role="img"
        aria-label="Monthly cost against throughput, from 0.01 to 10,000 MiB/s; the table below lists it."
      >
        <g stroke="var(--line)" strokeWidth="1">
          {yTicks.map((tick) => (
            <line key={tick.text} x1={CHART.left} x2={CHART.width - CHART.right} y1={tick.at} y2={tick.at} />
          ))}
          {xTicks.map((tick) => (
            <line key={tick.text} x1={tick.at} x2={tick.at} y1={CHART.top} y2={CHART.height - CHART.bottom} />
          ))}
        </g>
        <g fill="var(--ink-3)" fontSize="12">
          {yTicks.map((tick) => (
            <text key={tick.text} x={CHART.left - 8} y={tick.at + 4} textAnchor="end">
              {tick.text}
            </text>
          ))}
          {xTicks.map((tick) => (
            <text key={tick.text} x={tick.at} y={CHART.height - CHART.bottom + 16} textAnchor="middle">
              {tick.text}
            </text>
          ))}
          <text x={CHART.width - CHART.right} y={CHART.height - 4} textAnchor="end">
            MiB/s written, before compression
          </text>
        </g>
        {others.map((line) => (
          <polyline key={line.id} points={line.points} fill="none" stroke="var(--line-strong)" strokeWidth="1.25">
            <title>{NAMES.get(line.id)}</title>
          </polyline>
        ))}
        {strong.map((line) => (
          <polyline
            key={line.id}
            points={line.points}
            fill="none"
            stroke={line.id === ours ? 'var(--data-out)' : 'var(--data-in)'}
            strokeWidth="2.5"
            strokeDasharray={line.id === ours ? undefined : '7 4'}
          >
            <title>{NAMES.get(line.id)}</title>
          </polyline>
        ))}
      </svg>
      <details className="mt-2 text-sm">
        <summary className="rounded text-ink-2">The same as a table</summary>
        <div className="mt-2 rounded-lg border border-line">
          <Table label="Monthly cost against throughput" className="text-xs">
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
      </details>
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
