// What the binary tells of itself.
import { CodeBlock, Td, Tr } from '@penstock/ui';
import agent from '../reference/agent-options.json' with { type: 'json' };
import commands from '../reference/command-line.json' with { type: 'json' };
import { Sheet } from './reference-tables';
import { Code } from './text-parts';

export function AgentOptions() {
  return agent.groups
    .filter(({ title }) => title !== 'Options')
    .map(({ title, options }) => (
      <section key={title} className="mt-8">
        <h3 className="font-semibold text-base text-ink tracking-tight">{title}</h3>
        <Sheet label={title} heads={['Flag and variable', 'Default', 'Meaning']}>
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
        </Sheet>
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

/** The help of every command but the agent's, which has a page of its own. */
export function CommandLineHelp() {
  return commands
    .filter(({ command }) => command !== 'penstock agent')
    .map(({ command, help }) => (
      <section key={command} className="mt-8">
        <h3 id={command.replaceAll(' ', '-')} className="font-mono font-semibold text-base text-ink">
          {command}
        </h3>
        <div className="mt-3">
          <CodeBlock title={`${command} --help`} code={help} />
        </div>
      </section>
    ));
}
