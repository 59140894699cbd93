'use client';

import { Button, Table, Td, Th, Tr } from '@penstock/ui';
import { bytesPer, formatByteRate } from '@penstock/units';
import { useState } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { ThroughputChartData, ThroughputRow } from './prepare-throughput.ts';

const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const TIME_WITH_SECONDS = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
/** Ticks are round already: as many decimals as they need and no more. */
const TICK_NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const TICK = { fill: 'var(--ink-3)', fontSize: 12, fontVariantNumeric: 'tabular-nums' };

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

/** Throughput in and out. Draws what prepareThroughput made; a table with the same figures stands behind it. */
export function ThroughputChart({ data }: { data: ThroughputChartData }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <ul className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-ink-2">
          <LegendItem label="In (produced)" rate={data.latest?.inRate} colour="var(--data-in)" dashed={false} />
          <LegendItem label="Out (fetched)" rate={data.latest?.outRate} colour="var(--data-out)" dashed />
        </ul>
        <Button size="sm" variant="quiet" aria-pressed={asTable} onClick={() => setAsTable((before) => !before)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {asTable ? <ThroughputTable data={data} /> : <Drawing data={data} />}
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

function Drawing({ data }: { data: ThroughputChartData }) {
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
      {/* Until it is drawn anew, a chart is wider than a window that became narrow. */}
      <div className="h-56 overflow-hidden">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 224 }}>
          <ComposedChart
            data={[...data.rows]}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="timeMs"
              type="number"
              scale="time"
              domain={[data.startMs, data.endMs]}
              allowDataOverflow
              ticks={[...data.xTicks]}
              tickFormatter={(timeMs: number) => TIME_OF_DAY.format(timeMs)}
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              minTickGap={16}
            />
            <YAxis
              ticks={[...data.yTicks]}
              domain={[0, data.yTicks.at(-1) ?? 1]}
              tickFormatter={(rate: number) => TICK_NUMBER.format(rate / bytesPer(data.unit))}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              width={52}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: 'var(--line-strong)' }}
              content={({ active, payload }) => {
                const row: unknown = payload?.[0]?.payload;
                return active === true && isRow(row) ? <Reading row={row} /> : null;
              }}
            />
            <Area
              dataKey="inRate"
              stroke="var(--data-in)"
              strokeWidth={2}
              fill="var(--data-in)"
              fillOpacity={0.13}
              connectNulls={false}
              isAnimationActive={false}
              activeDot={{ r: 3 }}
            />
            <Line
              dataKey="outRate"
              stroke="var(--data-out)"
              strokeWidth={2}
              strokeDasharray="5 3"
              dot={false}
              connectNulls={false}
              isAnimationActive={false}
              activeDot={{ r: 3 }}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </div>
  );
}

function isRow(value: unknown): value is ThroughputRow {
  return typeof value === 'object' && value !== null && 'timeMs' in value && 'inRate' in value && 'outRate' in value;
}

function Reading({ row }: { row: ThroughputRow }) {
  return (
    <div className="rounded-lg border border-line bg-surface px-3 py-2 text-xs shadow-float">
      <p className="nums text-ink-3">{TIME_WITH_SECONDS.format(row.timeMs)}</p>
      <dl className="nums mt-1 grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5">
        <dt className="text-ink-2">In</dt>
        <dd className="text-right font-medium text-ink">{rateText(row.inRate)}</dd>
        <dt className="text-ink-2">Out</dt>
        <dd className="text-right font-medium text-ink">{rateText(row.outRate)}</dd>
      </dl>
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
