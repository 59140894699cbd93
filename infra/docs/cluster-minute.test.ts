// Checks that every text defines a cluster-minute as it is metered.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../local/paths.ts';

/** The formatter decides line breaks and indentation. */
async function textOf(name: string): Promise<string> {
  return (await readFile(join(root, name), 'utf8')).replaceAll(/\s+/g, ' ');
}

it.each([
  ['the pricing page', 'apps/web/features/pricing/price-book-section.tsx'],
  ['the estimate', 'packages/pricing/src/models/penstock-parts.ts'],
  ['the dialog that creates a cluster', 'apps/web/features/clusters/create-cluster-dialog.tsx'],
  ['the invoice', 'packages/billing/src/invoice/notes.ts'],
  ['the API reference', 'packages/api/src/cluster/operations.ts'],
  ['the documentation of prices', 'apps/web/features/docs/content/pricing.mdx'],
  ['the glossary', 'apps/web/features/docs/content/glossary.mdx'],
])('%s defines a cluster-minute as one with a live agent', async (_place, name) => {
  expect(await textOf(name)).toMatch(/minutes? in which at least one agent of the cluster was alive/);
});

it('no text ties billing to existence or to the first write', async () => {
  const ours = /minutes that a cluster exists|agent writes to it|Penstock.*billed while it exists/;
  const names = execFileSync('git', ['ls-files', 'apps', 'packages', 'docs', '*.md'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((name) => /\.(tsx?|mdx?|rs|json)$/.test(name) && !name.includes('warpstream'));
  const told = await Promise.all(names.map(async (name) => (ours.test(await textOf(name)) ? [name] : [])));
  expect(told.flat()).toEqual([]);
});
