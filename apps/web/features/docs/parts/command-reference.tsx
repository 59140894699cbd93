// What the binary tells of itself.
import { CodeBlock, Td, Tr } from '@penstock/ui';
import agent from '../reference/agent-options.json' with { type: 'json' };
import commands from '../reference/command-line.json' with { type: 'json' };
import { ReferenceTable } from './reference-tables';
import { Code } from './text-parts';

export function AgentOptions() {
  return agent.groups
    .filter(({ title }) => title !== 'Options')
    .map(({ title, options }) => (
      <section key={title} className="mt-8">
        <h3 className="font-semibold text-base text-ink tracking-tight">{title}</h3>
        <ReferenceTable label={title} heads={['Flag and variable', 'Default', 'Meaning']}>
          {options.map((option) => (
            <Tr key={option.flag}>
              <Td className="align-top leading-7">
                <Code>{option.flag}</Code>
                <br />
                {option.variable === null ? null : <Code>{option.variable}</Code>}
              </Td>
              <Td className="align-top font-mono text-xs">{option.default ?? ''}</Td>
              <Td className="min-w-64 align-top leading-6">{option.text}</Td>
            </Tr>
          ))}
        </ReferenceTable>
      </section>
    ));
}

export function AgentExamples() {
  return (
    <div className="mt-5">
      <CodeBlock title="penstock agent --help, its end" code={agent.epilogue} />
    </div>
  );
}

/** The help of every command but the agent's, which has a page of its own. Its first line says what the command does. */
export function CommandLineHelp() {
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface">
      {commands
        .filter(({ command }) => command !== 'penstock agent')
        .map(({ command, help }) => (
          <details key={command} className="border-line border-b last:border-b-0">
            <summary className="px-4 py-2.5 text-sm leading-6">
              <span className="font-medium font-mono text-[0.8125rem] text-ink">{command}</span>{' '}
              <span className="text-ink-3">{help.split('\n', 1)[0]}</span>
            </summary>
            <div className="px-3 pb-3">
              <CodeBlock title={`${command} --help`} code={help} />
            </div>
          </details>
        ))}
    </div>
  );
}
