import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pinnedNode, root } from './paths.ts';
import { benchmarks, faults, type Programs } from './programs.ts';

const readme = readFileSync(join(root, 'e2e/bench/README.md'), 'utf8');

const scripts: [string, Programs][] = [
  ['bench', benchmarks],
  ['fault', faults],
];

test.each(scripts)('npm run %s: every program exists and is described', (script, programs) => {
  expect([...programs.values()].filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  expect([...programs.keys()].filter((name) => !readme.includes(`npm run ${script} -- ${name}\``))).toEqual([]);
});

test.each(scripts)('npm run %s -- --help lists every program', (script, programs) => {
  const help = execFileSync(pinnedNode, [`infra/local/${script}.ts`, '--help'], { cwd: root, encoding: 'utf8' });
  expect([...programs.keys()].filter((name) => !help.includes(`  ${name} `))).toEqual([]);
});

test('the root has few scripts', () => {
  const { scripts: named } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  expect(Object.keys(named).length).toBeLessThanOrEqual(20);
});
