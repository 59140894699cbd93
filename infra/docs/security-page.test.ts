// Checks that the security page names every secret that our programs read from their environment.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../local/paths.ts';

const PAGE = 'apps/web/features/docs/content/security.mdx';
const PROGRAMS = [
  'apps/*/src/**/*.ts',
  'apps/web/server/*.ts',
  'packages/*/src/**/*.ts',
  'apps/agent/crates/*/src/**/*.rs',
];
const SECRET =
  /\b(?:PENSTOCK|STRIPE)_(?:[A-Z]+_)*(?:SECRETS?|KEYS?|TOKEN|PASSWORD)\b|\b(?:DATABASE_URL|SMTP_URL|PENSTOCK_CELLS)\b/g;

test('the security page names every secret of the installation', async () => {
  const names = execFileSync('git', ['ls-files', ...PROGRAMS], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((name) => !/\.test\.|\/testing\//.test(name));
  const read = new Set<string>();
  for (const name of names) {
    for (const [secret] of (await readFile(join(root, name), 'utf8')).matchAll(SECRET)) {
      read.add(secret);
    }
  }
  expect(read).toContain('PENSTOCK_ADMIN_KEYS');
  const page = await readFile(join(root, PAGE), 'utf8');
  const missing = [...read].filter((secret) => !page.includes(`\`${secret}\``));
  expect(missing).toEqual([]);
});
