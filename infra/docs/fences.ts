// Parses the documentation pages: their fenced blocks, and the tests that infra/docs/proofs.md names.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../local/paths.ts';

export const contentFolder = join(root, 'apps/web/features/docs/content');
/** The operators' page, whose commands are tested too. */
export const OPERATORS_PAGE = 'infra/docs/README.md';

export interface Fence {
  page: string;
  /** The number of the opening line, from 1. */
  line: number;
  language: string;
  /** The text after the language: `run=name title="Terminal"`. */
  meta: Readonly<Record<string, string>>;
  code: string;
}

/** The sources of the pages by name. */
export async function readPages(): Promise<Map<string, string>> {
  const names = (await readdir(contentFolder)).filter((name) => name.endsWith('.mdx')).sort();
  const pages = names.map(async (name) => [name, await readFile(join(contentFolder, name), 'utf8')] as const);
  return new Map(await Promise.all(pages));
}

/** The fenced blocks of a page, in order, without the indentation of lists. @throws Error when one has no end */
export function fencesOf(page: string, source: string): Fence[] {
  const fences: Fence[] = [];
  let open: { indent: string; lines: string[]; fence: Fence } | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const [isMark, indent = '', language = '', words = ''] = /^(\s*)```(\w*)\s*(.*)$/.exec(line) ?? [];
    if (isMark === undefined) {
      open?.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else if (open === undefined) {
      open = { indent, lines: [], fence: { page, line: index + 1, language, meta: parseMeta(words), code: '' } };
    } else {
      fences.push({ ...open.fence, code: open.lines.join('\n') });
      open = undefined;
    }
  }
  if (open !== undefined) {
    throw new Error(`${page}:${open.fence.line}: the block does not end`);
  }
  return fences;
}

function parseMeta(words: string): Readonly<Record<string, string>> {
  const pairs = [...words.matchAll(/([a-z]+)=(?:"([^"]*)"|(\S+))/g)];
  return Object.fromEntries(pairs.map(([, name, quoted, plain]) => [name, quoted ?? plain ?? '']));
}

/** The tests that infra/docs/proofs.md names: each is an item with the test's name in quotation marks, then its file. */
export function proofsOf(source: string): { file: string; test: string }[] {
  const proofs = [...source.matchAll(/^- “([^”]+)”\s+`([^`]+)`$/gm)];
  return proofs.map(([, test = '', file = '']) => ({ file, test: test.replaceAll(/\s+/g, ' ') }));
}
