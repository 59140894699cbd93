// Checks the repository's documents: links, paths and commands that they name exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../local/paths.ts';
import { benchmarks, faults } from '../local/programs.ts';

const LONGEST_LINE_CHARS = 140;

const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.mdx'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((name) => existsSync(join(root, name)));
const documents = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(join(root, name), 'utf8') })),
);

/** Link targets, and text that looks like a path from the repository's root; placeholders are left out. */
function pathsOf(name: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|\/|#)([^)#]+)(?:#[^)]*)?\)/g)].map((match) =>
    join(dirname(name), match[1] ?? ''),
  );
  const paths = [...text.matchAll(/`((?:apps|docs|e2e|infra|packages|prisma)\/[^`\s<>*{}…]+)`/g)].map(
    (match) => match[1] ?? '',
  );
  return [...links, ...paths];
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

describe('the documents of the repository', () => {
  it.each(documents)('$name: links and paths lead to existing files', ({ name, text }) => {
    expect(pathsOf(name, text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('link to existing headings', () => {
    const headings = new Map(
      documents.map(({ name, text }) => [
        name,
        new Set([...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''))),
      ]),
    );
    const broken = documents.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\((?!https?:|\/)([^)#]*\.md)?#([^)]+)\)/g)]
        .map((match) => ({
          file: match[1] === undefined ? name : join(dirname(name), match[1]),
          anchor: match[2] ?? '',
        }))
        .filter(({ file, anchor }) => headings.get(file)?.has(anchor) === false)
        .map(({ file, anchor }) => `${name}: ${file}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it('name existing npm scripts', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const missing = documents.flatMap(({ name, text }) =>
      [...text.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g)]
        .filter((match) => scripts[match[1] ?? ''] === undefined)
        .map((match) => `${name}: ${match[0]}`),
    );
    expect(missing).toEqual([]);
  });

  it('name existing benchmarks, faults and operator commands', () => {
    const commands = new Set(
      readdirSync(join(root, 'apps/admin/src')).map((file) => file.replace(/\.ts$/, '').replace('-', ' ')),
    );
    const exists = (script: string, name: string): boolean =>
      script === 'admin' ? commands.has(name) : (script === 'bench' ? benchmarks : faults).has(name);
    const missing = documents.flatMap(({ name, text }) =>
      [...text.matchAll(/npm run (?:(admin) -- ([a-z]+ [a-z-]+)|(bench|fault) -- ([a-z][a-z-]+))/g)]
        .filter((match) => !exists(match[1] ?? match[3] ?? '', match[2] ?? match[4] ?? ''))
        .map((match) => `${name}: ${match[0]}`),
    );
    expect(missing).toEqual([]);
  });

  it(`have no line over ${LONGEST_LINE_CHARS} characters`, () => {
    const long = documents.flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, at) => (line.length > LONGEST_LINE_CHARS ? [`${name}:${at + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });
});
