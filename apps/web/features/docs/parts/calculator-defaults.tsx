// The calculator's defaults that favour someone, from the package that the calculator uses.
import { type Favoured, notesFavouring } from '@penstock/pricing';
import { Td, Tr } from '@penstock/ui';
import { ReferenceTable } from './reference-tables';

export function CalculatorDefaults({ favours }: { favours: Favoured }) {
  return (
    <ReferenceTable label={`Defaults in favor of ${favours}`} heads={['Assumption', 'Default', 'Why it stands']}>
      {notesFavouring(favours).map((note) => (
        <Tr key={note.id}>
          <Td className="text-ink">{note.what}</Td>
          <Td>{note.value ?? 'not counted'}</Td>
          <Td className="min-w-56">{note.why}</Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}
