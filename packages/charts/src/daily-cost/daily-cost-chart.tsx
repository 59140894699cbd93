'use client';

import { Button, Table, Td, Th, Tr } from '@penstock/ui';
import { useState } from 'react';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { DailyCostData, DailyCostRow } from './prepare-daily-cost.ts';

/** Distinct in hue and lightness in both themes; the legend and the table name the same clusters. */
const COLOURS = [
  'light-dark(oklch(0.53 0.13 240), oklch(0.74 0.12 232))',
  'light-dark(oklch(0.6 0.15 48), oklch(0.77 0.135 62))',
  'light-dark(oklch(0.5 0.1 165), oklch(0.7 0.11 165))',
  'light-dark(oklch(0.52 0.13 310), oklch(0.72 0.12 310))',
  'light-dark(oklch(0.62 0.02 250), oklch(0.6 0.02 250))',
];
const TICK = { fill: 'var(--ink-3)', fontSize: 12, fontVariantNumeric: 'tabular-nums' };
const TICK_NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

function colourOf(index: number): string {
  return COLOURS[index] ?? 'var(--ink-3)';
}

/** Cost by day, stacked by cluster. Draws the result of prepareDailyCost, and includes a table with the same figures. */
export function DailyCostChart({ data, month }: { data: DailyCostData; month: string }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <ul className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-ink-2">
          {data.series.map((series, index) => (
            <li key={series.key} className="flex min-w-0 items-center gap-2">
              <span
                aria-hidden="true"
                className="size-2.5 shrink-0 rounded-xs"
                style={{ background: colourOf(index) }}
              />
              <span className="min-w-0 break-words">{series.name}</span>
              <span className="nums font-medium text-ink">{series.total}</span>
            </li>
          ))}
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
      {asTable ? <CostTable data={data} /> : <Drawing data={data} month={month} />}
    </div>
  );
}

function Drawing({ data, month }: { data: DailyCostData; month: string }) {
  return (
    <div
      role="img"
      aria-label={`Cost by day and cluster in ${month}: ${data.total} so far. Switch to the table to see every day.`}
    >
      <div className="flex justify-between text-ink-3 text-xs">
        <span>US dollars</span>
        <span>days of {month}, UTC</span>
      </div>
      <div className="h-56 overflow-hidden">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 224 }}>
          <BarChart
            data={[...data.rows]}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
            barCategoryGap="18%"
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="label"
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              minTickGap={14}
            />
            <YAxis
              ticks={[...data.yTicks]}
              domain={[0, data.yTicks.at(-1) ?? 1]}
              tickFormatter={(usd: number) => TICK_NUMBER.format(usd)}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              width={56}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--hover)' }}
              content={({ active, payload }) => {
                const row: unknown = payload?.[0]?.payload;
                return active === true && isRow(row) ? <Reading row={row} data={data} /> : null;
              }}
            />
            {data.series.map((series, index) => (
              <Bar
                key={series.key}
                dataKey={(row: DailyCostRow) => row.drawnUsd[series.key]}
                name={series.name}
                stackId="day"
                fill={colourOf(index)}
                isAnimationActive={false}
                maxBarSize={28}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </div>
  );
}

function isRow(value: unknown): value is DailyCostRow {
  return typeof value === 'object' && value !== null && 'day' in value && 'texts' in value && 'total' in value;
}

function Reading({ row, data }: { row: DailyCostRow; data: DailyCostData }) {
  return (
    <div className="max-w-72 rounded-lg border border-line bg-surface px-3 py-2 text-xs shadow-float">
      <p className="nums text-ink-3">{row.day} UTC</p>
      {row.isToCome ? (
        <p className="mt-1 text-ink-2">No data yet</p>
      ) : (
        <dl className="nums mt-1 grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5">
          {data.series.map((series) => (
            <div key={series.key} className="contents">
              <dt className="truncate text-ink-2">{series.name}</dt>
              <dd className="text-right font-medium text-ink">{row.texts[series.key]}</dd>
            </div>
          ))}
          <div className="contents">
            <dt className="text-ink-2">All</dt>
            <dd className="text-right font-medium text-ink">{row.total}</dd>
          </div>
        </dl>
      )}
    </div>
  );
}

function CostTable({ data }: { data: DailyCostData }) {
  return (
    <div className="max-h-72 overflow-y-auto rounded-lg border border-line">
      <Table label="Cost by day and cluster, newest day first">
        <thead className="sticky top-0 bg-surface">
          <tr>
            <Th>Day (UTC)</Th>
            {data.series.map((series) => (
              <Th key={series.key} numeric>
                {series.name}
              </Th>
            ))}
            <Th numeric>All clusters</Th>
          </tr>
        </thead>
        <tbody>
          {data.rows
            .filter((row) => !row.isToCome)
            .toReversed()
            .map((row) => (
              <Tr key={row.day}>
                <Td className="nums whitespace-nowrap">{row.day}</Td>
                {data.series.map((series) => (
                  <Td key={series.key} numeric>
                    {row.texts[series.key]}
                  </Td>
                ))}
                <Td numeric>{row.total}</Td>
              </Tr>
            ))}
        </tbody>
      </Table>
    </div>
  );
}
