'use client';

import { Button, Table, Td, Th, Tr } from '@penstock/ui';
import { bytesPer, formatByteRate } from '@penstock/units';
import { memo, useRef, useState } from 'react';
import { PLOT_HEIGHT_PX, type PlotRange, type PlotScale, scaleOf } from '../time-series/frame.ts';
import { Drawing, PlotAxes, PlotLine } from '../time-series/plot-parts.tsx';
import { useWidth } from '../time-series/use-width.ts';
import { rowAt, type ThroughputChartData, type ThroughputRow } from './prepare-throughput.ts';

const INITIAL_WIDTH_PX = 640;
const READING_GAP_PX = 10;

const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const TIME_WITH_SECONDS = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
/** Ticks are already round: use as many decimals as they need. */
const TICK_NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

function zoneName(timeMs: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZoneName: 'short' }).formatToParts(timeMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? 'local time';
}

function rateText(rate: number | null | undefined): string {
  if (rate === null || rate === undefined) {
    return 'no data';
  }
  const { value, unit } = formatByteRate(rate);
  return `${value} ${unit}`;
}

/** Throughput in and out. Draws the result of prepareThroughput, and includes a table with the same figures. */
export function ThroughputChart({ data }: { data: ThroughputChartData }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <ul className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-ink-2">
          <LegendItem label="In (produced)" rate={data.latest?.inRate} colour="var(--data-in)" dashed={false} />
          <LegendItem label="Out (fetched)" rate={data.latest?.outRate} colour="var(--data-out)" dashed />
        </ul>
        <Button
          size="sm"
          variant="quiet"
          className="max-sm:-ml-3"
          aria-pressed={asTable}
          onClick={() => setAsTable((before) => !before)}
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {asTable ? <ThroughputTable data={data} /> : <Picture data={data} />}
    </div>
  );
}

function LegendItem(props: { label: string; rate: number | null | undefined; colour: string; dashed: boolean }) {
  return (
    <li className="flex items-center gap-2">
      <svg aria-hidden="true" width="18" height="4" viewBox="0 0 18 4">
        <line
          x1="0"
          y1="2"
          x2="18"
          y2="2"
          stroke={props.colour}
          strokeWidth="2.5"
          strokeDasharray={props.dashed ? '5 3' : undefined}
        />
      </svg>
      <span>{props.label}</span>
      <span className="nums font-medium text-ink">{rateText(props.rate)}</span>
    </li>
  );
}

function Picture({ data }: { data: ThroughputChartData }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, INITIAL_WIDTH_PX);
  const [pointedAtMs, setPointedAtMs] = useState<number | null>(null);
  const row = pointedAtMs === null ? null : rowAt(data.rows, pointedAtMs);
  const scale = scaleOf(rangeOf(data), width);
  const summary =
    data.latest === null
      ? `Throughput of the last ${data.windowMinutes} minutes: no data.`
      : `Throughput of the last ${data.windowMinutes} minutes. Latest: in ${rateText(data.latest.inRate)}, out ${rateText(data.latest.outRate)}. Switch to the table to see every minute.`;
  return (
    <div role="img" aria-label={summary}>
      <div className="flex justify-between text-ink-3 text-xs">
        <span>{data.unit}/s</span>
        <span>{zoneName(data.endMs)}</span>
      </div>
      <div
        ref={box}
        className="relative touch-pan-y"
        style={{ height: PLOT_HEIGHT_PX }}
        onPointerMove={(event) =>
          setPointedAtMs(scale.timeAt(event.clientX - event.currentTarget.getBoundingClientRect().left))
        }
        onPointerLeave={() => setPointedAtMs(null)}
      >
        <Lines data={data} width={width} />
        {row === null ? null : <Reading row={row} scale={scale} />}
      </div>
    </div>
  );
}

function rangeOf({ startMs, endMs, yTicks }: ThroughputChartData): PlotRange {
  return { window: { startMs, endMs }, bottom: 0, top: yTicks.at(-1) ?? 1 };
}

/** Axes and lines. Rendered again only for new data or a new width, not when the pointer moves. */
const Lines = memo(function Lines({ data, width }: { data: ThroughputChartData; width: number }) {
  const scale = scaleOf(rangeOf(data), width);
  const perUnit = bytesPer(data.unit);
  const line = { xOf: (index: number) => scale.xOfTime(data.rows[index]?.timeMs ?? data.startMs), yOf: scale.yOf };
  return (
    <Drawing width={width}>
      <PlotAxes
        scale={scale}
        xTicks={data.xTicks.map((timeMs) => ({ timeMs, text: TIME_OF_DAY.format(timeMs) }))}
        yTicks={data.yTicks.map((value) => ({ value, text: TICK_NUMBER.format(value / perUnit) }))}
      />
      <PlotLine {...line} values={data.rows.map(({ inRate }) => inRate)} colour="var(--data-in)" width={2} isFilled />
      <PlotLine
        {...line}
        values={data.rows.map(({ outRate }) => outRate)}
        colour="var(--data-out)"
        width={2}
        isDashed
      />
    </Drawing>
  );
});

/** The rates at the pointer, on the side with more room. */
function Reading({ row, scale }: { row: ThroughputRow; scale: PlotScale }) {
  const x = scale.xOfTime(row.timeMs);
  const isRight = x > (scale.left + scale.right) / 2;
  return (
    <div className="pointer-events-none absolute inset-0">
      <div
        className="absolute w-px bg-line-strong"
        style={{ left: x, top: scale.top, height: scale.bottom - scale.top }}
      />
      <div
        className="absolute top-2 rounded-lg border border-line bg-surface px-3 py-2 text-xs shadow-float"
        style={isRight ? { right: `calc(100% - ${x - READING_GAP_PX}px)` } : { left: x + READING_GAP_PX }}
      >
        <p className="nums whitespace-nowrap text-ink-3">{TIME_WITH_SECONDS.format(row.timeMs)}</p>
        <dl className="nums mt-1 grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5 whitespace-nowrap">
          <dt className="text-ink-2">In</dt>
          <dd className="text-right font-medium text-ink">{rateText(row.inRate)}</dd>
          <dt className="text-ink-2">Out</dt>
          <dd className="text-right font-medium text-ink">{rateText(row.outRate)}</dd>
        </dl>
      </div>
    </div>
  );
}

function ThroughputTable({ data }: { data: ThroughputChartData }) {
  return (
    <div className="max-h-64 overflow-y-auto rounded-lg border border-line">
      <Table label="Throughput per minute, newest first">
        <thead className="sticky top-0 bg-surface">
          <tr>
            <Th>Minute ({zoneName(data.endMs)})</Th>
            <Th numeric>In, mean</Th>
            <Th numeric>Out, mean</Th>
          </tr>
        </thead>
        <tbody>
          {data.minutes.map((minute) => (
            <Tr key={minute.timeMs}>
              <Td className="nums">{TIME_OF_DAY.format(minute.timeMs)}</Td>
              <Td numeric>{rateText(minute.inRate)}</Td>
              <Td numeric>{rateText(minute.outRate)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
