'use client';

import { Table, Td, Th, Tr } from '@penstock/ui';
import type { TimeSeriesData } from './prepare-time-series.ts';
import { stepText } from './time-text.ts';
import { valueText } from './value-scale.ts';

/** The figures of a chart as a table, newest first. Steps without measurements are left out. */
export function SeriesTable({ data, label }: { data: TimeSeriesData; label: string }) {
  const steps = Array.from({ length: data.steps }, (_, index) => data.steps - 1 - index).filter((step) =>
    data.lines.some(({ values }) => (values[step] ?? null) !== null),
  );
  return (
    <div className="max-h-64 overflow-y-auto rounded-lg border border-line">
      <Table label={`${label}, newest first`}>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <Th>Time ({data.zone.name})</Th>
            {data.lines.map((line) => (
              <Th key={line.key} numeric>
                {line.label}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <Tr key={step}>
              <Td className="nums whitespace-nowrap">{stepText(data, step)}</Td>
              {data.lines.map((line) => (
                <Td key={line.key} numeric>
                  {valueText(data.unit, line.values[step])}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
