import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCS_ENTRIES } from '../../apps/web/features/docs/contents.ts';
import { root } from '../local/paths.ts';
import { fencesOf, proofsOf, readPages } from './fences.ts';

const pages = await readPages();

describe('the documentation', () => {
  it('lists every page that has a text, once', () => {
    expect(DOCS_ENTRIES.map(({ slug }) => `${slug}.mdx`).toSorted()).toEqual([...pages.keys()]);
  });

  it('runs or checks every command and every file', () => {
    const without = [...pages]
      .flatMap(([page, source]) => fencesOf(page, source))
      .filter(({ meta }) => (meta['run'] === undefined) === (meta['check'] === undefined))
      .map(({ page, line }) => `${page}:${line}`);
    expect(without).toEqual([]);
  });

  it('cites existing tests in infra/docs/proofs.md', async () => {
    const source = await readFile(join(root, 'infra/docs/proofs.md'), 'utf8');
    const proofs = proofsOf(source);
    expect(proofs.length).toBeGreaterThan(0);
    expect(source.split('\n- ').length - 1).toBe(proofs.length);
    const missing: string[] = [];
    for (const { file, test } of proofs) {
      const text = await readFile(join(root, file), 'utf8').catch(() => '');
      if (!text.includes(test)) {
        missing.push(`“${test}” in ${file}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('never tells a customer to check out the repository', () => {
    const repository = /\bnpm run\b|\bnpm start\b|in the repository|target\/release|(?:apps|packages|infra|e2e)\/\w/;
    const found = [...pages].flatMap(([page, source]) =>
      source.split('\n').flatMap((line, at) => (repository.test(line) ? [`${page}:${at + 1}: ${line}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe('a fenced block', () => {
  // Also inside a list.
  it('is parsed with position, language, words and code', () => {
    const source = 'Text\n\n- item\n\n  ```sh run=a title="In a shell"\n  one\n    two\n  ```\n';
    expect(fencesOf('page.mdx', source)).toEqual([
      { page: 'page.mdx', line: 5, language: 'sh', meta: { run: 'a', title: 'In a shell' }, code: 'one\n  two' },
    ]);
  });

  it('without an end is an error that names its position', () => {
    expect(() => fencesOf('page.mdx', '\n```sh\nls\n')).toThrow('page.mdx:2');
  });
});
