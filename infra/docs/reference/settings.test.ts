import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../local/paths.ts';
import { programs, settingsPage } from './settings.ts';

/** A variable that is read from the environment, or declared: `process.env['NAME']`, `environment.NAME` or `NAME: …`. */
const READ =
  /(?:(?:process\.env|environment)(?:\.|\[')|^\s+)((?:PENSTOCK|SMTP|STRIPE|OTEL)_[A-Z0-9_]+|DATABASE_URL)(?:'\]|\b)(?=:|\s|;|\)|\?|$)/gm;

function sources(path: string): string[] {
  if (statSync(path).isFile()) {
    return [path];
  }
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'testing', 'contract'].includes(entry.name) ? [] : sources(inner);
    }
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [inner] : [];
  });
}

function namesIn(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(READ)].map((match) => match[1] ?? '');
}

describe('the page of settings', () => {
  test.each(programs.map((program) => [program.title, program] as const))('%s: lists all it reads', (_, program) => {
    const listed = new Set(Object.keys(program.shape));
    const read = program.folders.flatMap((folder) => sources(join(root, folder)).flatMap(namesIn));
    expect(read.length).toBeGreaterThan(0);
    const unlisted = read.filter((name) => !listed.has(name) && !listed.has(name.replace(/_FILE$/, '')));
    expect(new Set(unlisted)).toEqual(new Set());
  });

  test('lists all that the packages read', () => {
    const listed = new Set(programs.flatMap(({ shape }) => Object.keys(shape)));
    const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'));
    const read = folders.filter((folder) => existsSync(folder)).flatMap((folder) => sources(folder).flatMap(namesIn));
    expect(read).toContain('STRIPE_SECRET_KEY');
    expect(new Set(read.filter((name) => !listed.has(name)))).toEqual(new Set());
  });

  test('names the option of each variable of the agent', () => {
    const flag = { flag: '--bucket <URL>', text: 'Where', variable: 'PENSTOCK_BUCKET', default: 'mem://' };
    const page = settingsPage([{ title: 'Storage', options: [flag, { ...flag, variable: null }] }]);
    expect(page.split('\n').filter((line) => line.includes('--bucket'))).toEqual([
      '| `PENSTOCK_BUCKET` | `mem://` | `--bucket <URL>` |',
    ]);
  });
});
