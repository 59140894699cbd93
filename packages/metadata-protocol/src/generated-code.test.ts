import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(packageFolder, 'node_modules/.bin');

function buf(...args: string[]): void {
  execFileSync(join(bin, 'buf'), args, {
    cwd: packageFolder,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  });
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

test('the committed code matches what the generator makes from the contract', () => {
  const output = mkdtempSync(join(tmpdir(), 'penstock-protocol-'));
  try {
    buf('generate', '--output', output);
    const committed = join(packageFolder, 'src/gen');
    const fresh = join(output, 'src/gen');
    expect(filesUnder(committed)).toEqual(filesUnder(fresh));
    for (const file of filesUnder(fresh)) {
      const same = readFileSync(join(committed, file), 'utf8') === readFileSync(join(fresh, file), 'utf8');
      expect(same, `${file} is stale: run the script "generate" of this package`).toBe(true);
    }
  } finally {
    rmSync(output, { recursive: true });
  }
});

test('the contract passes the linter', () => {
  expect(() => buf('lint')).not.toThrow();
});
