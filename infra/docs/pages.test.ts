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

  it('has a test behind every command and every file: it runs, or its form is checked', () => {
    const without = [...pages]
      .flatMap(([page, source]) => fencesOf(page, source))
      .filter(({ meta }) => (meta['run'] === undefined) === (meta['check'] === undefined))
      .map(({ page, line }) => `${page}:${line}`);
    expect(without).toEqual([]);
  });

  it('names tests as proof that exist under these names', async () => {
    const missing: string[] = [];
    for (const [page, source] of pages) {
      expect(source.split('<Proof').length - 1, page).toBe(proofsOf(source).length);
      for (const { file, test } of proofsOf(source)) {
        const text = await readFile(join(root, file), 'utf8').catch(() => '');
        if (!text.includes(test)) missing.push(`${page}: “${test}” in ${file}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

describe('a fenced block', () => {
  it('is read with its place, language, words and code, also inside of a list', () => {
    const source = 'Text\n\n- item\n\n  ```sh run=a title="In a shell"\n  one\n    two\n  ```\n';
    expect(fencesOf('page.mdx', source)).toEqual([
      { page: 'page.mdx', line: 5, language: 'sh', meta: { run: 'a', title: 'In a shell' }, code: 'one\n  two' },
    ]);
  });

  it('that does not end is an error that names its place', () => {
    expect(() => fencesOf('page.mdx', '\n```sh\nls\n')).toThrow('page.mdx:2');
  });
});
