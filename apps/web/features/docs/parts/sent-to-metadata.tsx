import { Td, Tr } from '@penstock/ui';
import calls from '../reference/sent-to-metadata.json' with { type: 'json' };
import { ReferenceTable } from './reference-tables';
import { Code } from './text-parts';

/** Every field of every call that an agent can make to us, as the contract has it. */
export function SentToMetadata() {
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface">
      {calls.map(({ name, fields }) => (
        <details key={name} className="border-line border-b last:border-b-0">
          <summary className="px-4 py-2.5 text-sm">
            <span className="font-medium font-mono text-[0.8125rem] text-ink">{name}</span>{' '}
            <span className="text-ink-3 text-xs">
              {fields.length} {fields.length === 1 ? 'field' : 'fields'}
            </span>
          </summary>
          <div className="px-3 pb-4 [&>div]:mt-1">
            <ReferenceTable label={`Fields of ${name}`} heads={['Field', 'Type', 'Note']}>
              {fields.map(({ path, type, note }) => (
                <Tr key={path}>
                  <Td className="align-top">
                    <Code>{path}</Code>
                  </Td>
                  <Td className="align-top font-mono text-xs">{type}</Td>
                  <Td className="min-w-56 align-top text-[0.8125rem] leading-5">{note}</Td>
                </Tr>
              ))}
            </ReferenceTable>
          </div>
        </details>
      ))}
    </div>
  );
}
