import { type Estimate, formatUsd } from '@penstock/pricing';
import { Table, Td, Th, Tr } from '@penstock/ui';
import { memo } from 'react';

const ms = (value: number | null) =>
  value === null ? '–' : `${Number(value.toPrecision(3)).toLocaleString('en-US')} ms`;

/** Latency beside cost: a low bill and a slow log belong into one row. */
export const LatencyTable = memo(function LatencyTable({ estimate }: { estimate: Estimate }) {
  return (
    <Table label="Latency beside cost" className="min-w-[46rem]">
      <thead>
        <tr>
          <Th>System</Th>
          <Th numeric>Cost a month</Th>
          <Th numeric>Produce p50 / p99</Th>
          <Th numeric>End to end p50 / p99</Th>
          <Th>Where it comes from</Th>
        </tr>
      </thead>
      <tbody>
        {estimate.systems.map((system) =>
          system.available ? (
            <Tr key={system.id}>
              <Td className="text-ink">{system.name}</Td>
              <Td numeric>{formatUsd(system.total)}</Td>
              <Td numeric>
                {ms(system.latency.produceP50)} / {ms(system.latency.produceP99)}
              </Td>
              <Td numeric>
                {ms(system.latency.endToEndP50)} / {ms(system.latency.endToEndP99)}
              </Td>
              <Td className="text-xs leading-5">
                {system.latencyBasis === 'estimated' ? 'Estimated. ' : ''}
                {system.latencyNote}
              </Td>
            </Tr>
          ) : null,
        )}
      </tbody>
    </Table>
  );
});
