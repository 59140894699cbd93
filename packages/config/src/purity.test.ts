// Tests the lint rules: every impurity, planted in a pure package of a small tree, must be an error.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Lints one file at this path of a repository with our settings. */
function lint(path: string, text: string): { status: number | null; report: string } {
  const tree = mkdtempSync(join(tmpdir(), 'penstock-lint-'));
  try {
    copyFileSync(join(repository, 'biome.json'), join(tree, 'biome.json'));
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
    const { status, stdout, stderr } = spawnSync(
      join(repository, 'node_modules/.bin/biome'),
      ['lint', '--colors=off', '--max-diagnostics=none', '--vcs-enabled=false', path],
      { cwd: tree, encoding: 'utf8' },
    );
    return { status, report: stdout + stderr };
  } finally {
    rmSync(tree, { recursive: true });
  }
}

const impurities: [string, string, string][] = [
  ['reads the clock', 'export const now = (): number => Date.now();\n', 'noRestrictedGlobals'],
  ['makes a Date', 'export const now = (): string => new Date().toISOString();\n', 'noRestrictedGlobals'],
  ['reads the fine clock', 'export const now = (): number => performance.now();\n', 'noRestrictedGlobals'],
  ['draws a random number', 'export const draw = (): number => Math.random();\n', 'noJsRestrictedProperties'],
  ['makes an id', 'export const id = (): string => crypto.randomUUID();\n', 'noRestrictedGlobals'],
  ['reads the environment', 'export const env = (): unknown => process.env;\n', 'noRestrictedGlobals'],
  ['starts a timer', 'export const later = (f: () => void): unknown => setTimeout(f, 1);\n', 'noRestrictedGlobals'],
  ['reads a file', "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n", 'noRestrictedImports'],
];

test.each(impurities)('a pure package that %s fails the lint', (_what, text, rule) => {
  for (const pure of ['metadata-core', 'pricing', 'units']) {
    const { status, report } = lint(`packages/${pure}/src/planted.ts`, text);
    expect(report).toContain(rule);
    expect(status).toBe(1);
  }
});

test('the ban applies to pure packages but not to their tests', () => {
  const text = 'export const now = (): number => Date.now();\n';
  expect(lint('packages/platform/src/planted.ts', text).status).toBe(0);
  expect(lint('packages/units/src/planted.test.ts', text).status).toBe(0);
});

test.each([
  ['any', 'export const f = (x: any): number => x.y;\n', 'noExplicitAny'],
  ['a non-null assertion', 'export const f = (x: string | undefined): string => x!;\n', 'noNonNullAssertion'],
  ['a default export', 'export default 1;\n', 'noDefaultExport'],
  ['a skipped test', "import { test } from 'vitest';\ntest.skip('later', () => undefined);\n", 'noSkippedTests'],
])('%s fails the lint', (_what, text, rule) => {
  const { status, report } = lint('packages/platform/src/planted.ts', text);
  expect(report).toContain(rule);
  expect(status).toBe(1);
});
