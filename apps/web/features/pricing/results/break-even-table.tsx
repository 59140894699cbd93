import { type BreakEven, SYSTEMS } from '@penstock/pricing';
import { Table, Td, Th, Tr } from '@penstock/ui';
import { memo } from 'react';

function inWords(found: BreakEven): string {
  switch (found.kind) {
    case 'not available':
      return 'Not available with these inputs.';
    case 'always cheaper':
      return 'Penstock costs less at any throughput from 0.01 to 10,000 MiB/s.';
    case 'never cheaper':
      return 'Penstock costs more at any throughput from 0.01 to 10,000 MiB/s.';
    case 'crosses': {
      const points = found.at.map((load) => `${load.toLocaleString('en-US')} MiB/s`).join(', then ');
      return found.at.length === 1
        ? `Penstock costs less ${found.cheaperBelow ? 'below' : 'above'} ${points}.`
        : `Penstock costs ${found.cheaperBelow ? 'less' : 'more'} at low throughput. This changes at ${points}.`;
    }
  }
}

/** The load at which Penstock and each competitor cost the same. */
export const BreakEvenTable = memo(function BreakEvenTable({
  breakEvens,
}: {
  breakEvens: Readonly<Record<string, BreakEven>>;
}) {
  return (
    <Table label="Break-even against each system">
      <thead>
        <tr>
          <Th>System</Th>
          <Th>Break-even</Th>
        </tr>
      </thead>
      <tbody>
        {SYSTEMS.filter((system) => breakEvens[system.id] !== undefined).map((system) => (
          <Tr key={system.id}>
            <Td className="text-ink">{system.name}</Td>
            <Td>{inWords(breakEvens[system.id] ?? { kind: 'not available' })}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
});
