import { ruleIds, ruleTexts } from '@penstock/health';
import { Td, Tr } from '@penstock/ui';
import { ReferenceTable } from './reference-tables';
import { Code } from './text-parts';

/** The rules that every cluster is held against, with what to do. */
export function HealthRules() {
  return (
    <ReferenceTable label="Health rules" heads={['Rule', 'Meaning and remedy']}>
      {ruleIds.map((id) => (
        <Tr key={id}>
          <Td className="align-top">
            <Code>{id}</Code>
          </Td>
          <Td className="min-w-72 align-top leading-6">
            <span className="font-medium text-ink">{ruleTexts[id].title}.</span> {ruleTexts[id].remedy}
          </Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}
