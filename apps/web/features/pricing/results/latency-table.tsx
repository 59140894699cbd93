import { Table, Td, Th, Tr } from '@penstock/ui';
import { memo } from 'react';
import type { LatencyRow } from './prepare-estimate';

const ms = (value: number | null) =>
  value === null ? '–' : `${Number(value.toPrecision(3)).toLocaleString('en-US')} ms`;

/** Latency next to cost, so that a cheap but slow system shows both in one row. Notes shared by several rows are listed once below. */
export const LatencyTable = memo(function LatencyTable({ rows }: { rows: readonly LatencyRow[] }) {
  const notes = [...new Set(rows.map((system) => system.note))];
  return (
    <>
      <Table label="Latency and cost" className="min-w-[40rem]" stacks>
        <thead>
          <tr>
            <Th>System</Th>
            <Th numeric>Monthly cost</Th>
            <Th numeric>Produce p50 / p99</Th>
            <Th numeric>End-to-end p50 / p99</Th>
            <Th>Basis</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((system) => (
            <Tr key={system.id}>
              <Td className="text-ink" stack="title">
                {system.name}
              </Td>
              <Td numeric stack="aside">
                {system.totalText}
              </Td>
              <Td numeric stack="foot" label="Produce p50 / p99:">
                {pair(system.latency.produceP50, system.latency.produceP99)}
              </Td>
              <Td numeric stack="foot" label="End-to-end p50 / p99:">
                {pair(system.latency.endToEndP50, system.latency.endToEndP99)}
              </Td>
              <Td className="whitespace-nowrap" stack="foot" label="Basis:">
                {system.latency.endToEndP99 === null ? 'none' : system.basis}, note {notes.indexOf(system.note) + 1}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <ol
        aria-label="Notes on latency"
        className="list-decimal space-y-1 border-line border-t py-4 pr-5 pl-9 text-[0.8125rem] text-ink-2 leading-5"
      >
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ol>
    </>
  );
});

const pair = (p50: number | null, p99: number | null) =>
  p50 === null && p99 === null ? '–' : `${ms(p50)} / ${ms(p99)}`;
