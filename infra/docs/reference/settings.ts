// The page of all settings: infra/docs/settings.md. Each program's variables are described where they are declared.
import { metadataVariables } from '../../../apps/metadata/src/settings.ts';
import { webVariables } from '../../../apps/web/server/settings.ts';
import { workerVariables } from '../../../apps/worker/src/settings.ts';
import { invoiceVariables } from '../../../packages/billing/src/index.ts';
import {
  cellsVariable,
  type DescribedVariable,
  databaseUrlVariable,
  describeVariables,
  FILE_SUFFIX,
  rootSecretVariables,
  type VariableShape,
} from '../../../packages/platform/src/index.ts';
import type { OptionGroup } from './help.ts';

const LINE_CHARS = 120;

interface Program {
  title: string;
  /** Its folders, whose code names no other variable. */
  folders: readonly string[];
  shape: VariableShape;
}

const operatorVariables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_CELLS: cellsVariable,
  ...rootSecretVariables,
  ...invoiceVariables,
};

export const programs: readonly Program[] = [
  { title: 'Web app', folders: ['apps/web/server', 'apps/web/proxy.ts'], shape: webVariables },
  { title: 'Worker', folders: ['apps/worker/src'], shape: workerVariables },
  { title: 'Metadata service', folders: ['apps/metadata/src'], shape: metadataVariables },
  { title: "Operator's commands", folders: ['apps/admin/src'], shape: operatorVariables },
];

/** @param agentOptions from the agent's help */
export function settingsPage(agentOptions: readonly OptionGroup[]): string {
  const sections = programs.map(({ title, shape }) => [`## ${title}`, list(describeVariables(shape))]);
  const agent = agentOptions.flatMap(({ options }) => options).filter(({ variable }) => variable !== null);
  return `${[
    '# Settings',
    'Every environment variable of every program. `node infra/docs/reference/generate.ts` writes this page.',
    [
      'An empty variable counts as absent. A program that finds a variable missing or malformed names all of them, and exits.',
      `A secret can be in a file: \`PENSTOCK_SECRETS${FILE_SUFFIX}=/run/secrets/root\` in place of \`PENSTOCK_SECRETS\`. The program reads`,
      'the file when it starts, and drops the line end. Set one of the two.',
    ].join('\n'),
    ...sections.flat(),
    '## Agent',
    'Each variable has an option of the same meaning, which wins. The documentation at `/docs` explains them.',
    [
      '| variable | default | option |',
      '| --- | --- | --- |',
      ...agent.map((option) => `| \`${option.variable}\` | ${code(option.default)} | \`${escaped(option.flag)}\` |`),
    ].join('\n'),
  ].join('\n\n')}\n`;
}

/** One item per variable, those that are required first. */
function list(settings: readonly DescribedVariable[]): string {
  return settings
    .toSorted((left, right) => Number(right.isRequired) - Number(left.isRequired))
    .map(({ name, isRequired, defaultText, description, isSecret }) => {
      const names = isSecret ? `\`${name}\` or \`${name}${FILE_SUFFIX}\`` : `\`${name}\``;
      const state = isRequired ? ' (**required**)' : defaultText === '' ? '' : ` (default: ${defaultText})`;
      return wrapped(`- ${names}${state}: ${description}`);
    })
    .join('\n');
}

/** Lines of at most `LINE_CHARS` characters; all but the first are indented as the text of an item. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > LINE_CHARS) {
      lines.push(`  ${word}`);
    } else {
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
  }
  return lines.join('\n');
}

function code(text: string | null): string {
  return text === null || text === '' ? '' : `\`${escaped(text)}\``;
}

/** A pipe would end the cell. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
