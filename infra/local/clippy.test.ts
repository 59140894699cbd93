import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clippyEnvironment } from './clippy.ts';

async function compile(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-clippy-'));
  try {
    await writeFile(join(folder, 'lib.rs'), source);
    await promisify(execFile)(
      clippyEnvironment.RUSTC_WORKSPACE_WRAPPER,
      ['rustc', '--crate-type=lib', '--emit=metadata', '--out-dir', folder, join(folder, 'lib.rs')],
      { env: { ...process.env, ...clippyEnvironment } },
    );
    return 'compiled';
  } catch (error) {
    return String(Reflect.get(Object(error), 'stderr') ?? error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('a lint or compiler warning fails the build of the tests', async () => {
  expect(await compile('pub fn same(a: u8) -> u8 { a }')).toBe('compiled');
  expect(await compile('pub fn same(a: u8) -> u8 { return a; }')).toMatch(/^error: unneeded `return`/);
  expect(await compile('pub fn same(a: u8) -> u8 { let b = a; a }')).toMatch(/^error: unused variable/);
});
