// The binary's own help, and its parser.
import { spawnSync } from 'node:child_process';

export interface Option {
  /** The flag, such as `--bucket <URL>` */
  flag: string;
  text: string;
  /** The environment variable that sets the option; null if there is none. */
  variable: string | null;
  /** Null when it is required, or when its text describes the default. */
  default: string | null;
}

export interface OptionGroup {
  title: string;
  options: Option[];
}

export interface CommandHelp {
  /** The command, such as `penstock cluster list` */
  command: string;
  help: string;
}

/** Runs `penstock <path> --help` without any of its environment variables. @throws Error when the binary fails */
export function helpOf(binary: string, path: readonly string[]): string {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PENSTOCK_') && name !== 'COLUMNS'),
  );
  const { status, stdout, stderr } = spawnSync(binary, [...path, '--help'], { encoding: 'utf8', env: environment });
  if (status !== 0) {
    throw new Error(`penstock ${path.join(' ')} --help: exit code ${status}\n${stderr}`);
  }
  return stdout.replaceAll(/[ \t]+$/gm, '').trimEnd();
}

/** The command names below "Commands:", except help. */
export function subcommandsOf(help: string): string[] {
  const list = /^Commands:\n((?: {2,}.*\n?)+)/m.exec(help)?.[1] ?? '';
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1] ?? '').filter((name) => name !== 'help');
}

/** The help of a command and all its subcommands. */
export function allHelp(binary: string, path: readonly string[] = []): CommandHelp[] {
  const help = helpOf(binary, path);
  const below = subcommandsOf(help).flatMap((name) => allHelp(binary, [...path, name]));
  return [{ command: ['penstock', ...path].join(' '), help }, ...below];
}

/** The options of a long help by heading, with wrapped lines joined. */
export function optionGroups(help: string): OptionGroup[] {
  const groups: OptionGroup[] = [];
  let option: { flag: string; lines: string[] } | undefined;
  const close = (): void => {
    if (option === undefined) {
      return;
    }
    const lines = option.lines.filter((line) => line !== '');
    const tag = (name: string): string | undefined =>
      lines.map((line) => new RegExp(`^\\[${name}: (.*)\\]$`).exec(line)?.[1]).find((found) => found !== undefined);
    const text = lines.filter((line) => !/^\[(env|default): .*\]$/.test(line)).join(' ');
    const variable = tag('env')?.replace(/=.*$/, '') ?? null;
    groups.at(-1)?.options.push({ flag: option.flag, text, variable, default: tag('default') ?? null });
    option = undefined;
  };
  for (const line of help.split('\n')) {
    const flag = /^ {2,6}(?:-\w, )?(--[a-z-]+(?: <.*>)?)$/.exec(line)?.[1];
    const title = /^([A-Z][A-Za-z ]*):$/.exec(line)?.[1];
    if (title !== undefined) {
      close();
      groups.push({ title, options: [] });
    } else if (flag !== undefined) {
      close();
      option = { flag, lines: [] };
    } else if (/^\S/.test(line)) {
      close();
    } else {
      option?.lines.push(line.trim());
    }
  }
  close();
  return groups.filter(({ options }) => options.length > 0);
}

/** The text after the options: examples and notes. */
export function epilogueOf(help: string): string {
  const at = help.indexOf('\nExamples:\n');
  return at === -1 ? '' : help.slice(at + 1);
}
