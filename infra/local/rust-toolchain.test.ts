import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

// By its address, because plain JavaScript has no types to import.
const { toolchainOfPinnedVersion } = (await import(new URL('./rust-toolchain.mjs', import.meta.url).href)) as {
  toolchainOfPinnedVersion: (root: string, env: NodeJS.ProcessEnv) => string | undefined;
};
const folder = mkdtempSync(join(tmpdir(), 'penstock-rustup-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'rust-toolchain.toml'), '[toolchain]\nchannel = "1.95.0"\n');

/** A machine whose rustup has these toolchains; the first is the default one. */
function machine(rustcVersion: string, toolchains: string[]): NodeJS.ProcessEnv {
  const program = (name: string, body: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const list = toolchains.join('\n');
  program('rustup', `case "$1" in default) echo "${toolchains[0]} (default)";; toolchain) echo "${list}";; esac`);
  program('rustc', `echo "rustc ${rustcVersion} (0000000 2026-01-01)"`);
  return { PATH: `${folder}:/usr/bin:/bin` };
}

test.each([
  ['takes a default of the pinned version', '1.95.0', ['stable-x'], 'stable-x'],
  ['leaves a toolchain of that name to rustup', '1.95.0', ['stable-x', '1.95.0-x'], undefined],
  ['takes no other version', '1.96.0', ['stable-x'], undefined],
] as const)('%s', (_, version, toolchains, expected) => {
  expect(toolchainOfPinnedVersion(folder, machine(version, [...toolchains]))).toBe(expected);
});

test('respects a toolchain that the caller chose', () => {
  const env = { ...machine('1.95.0', ['stable-x']), RUSTUP_TOOLCHAIN: 'nightly' };
  expect(toolchainOfPinnedVersion(folder, env)).toBeUndefined();
});

test('finds nothing without rustup', () => {
  expect(toolchainOfPinnedVersion(folder, { PATH: '/nonexistent' })).toBeUndefined();
});
