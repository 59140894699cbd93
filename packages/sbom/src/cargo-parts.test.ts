import { expect, test } from 'vitest';
import { cargoParts } from './cargo-parts.ts';

const SHA = 'ab'.repeat(32);

function lockOf(...crates: string[]): string {
  return crates
    .map((crate) => crate.split(' '))
    .map(([name, version]) =>
      ['[[package]]', `name = "${name}"`, `version = "${version}"`, 'source = "registry"', `checksum = "${SHA}"`].join(
        '\n',
      ),
    )
    .join('\n\n');
}

// What our own crates use counts as used by the product.
test('crates have the edges of the tree', () => {
  const tree = [
    '0ours-agent v0.1.0 (/src/agent)|UNLICENSED',
    '1bytes v1.12.1|MIT',
    '1ours-wire v0.1.0 (/src/wire)|UNLICENSED',
    '2bytes v1.12.1|MIT',
    '2zstd v0.14.3+zstd.1.6|BSD-3-Clause',
    '3zstd-sys v2.0.0|MIT/Apache-2.0',
    '1ours-wire v0.1.0 (/src/wire)|UNLICENSED (*)',
    '1zstd v0.14.3+zstd.1.6|BSD-3-Clause (*)',
    '1unlicensed v1.0.0|',
  ].join('\n');
  const lock = lockOf('bytes 1.12.1', 'zstd 0.14.3+zstd.1.6', 'zstd-sys 2.0.0', 'unlicensed 1.0.0');
  const { parts, usedByUs } = cargoParts(`${tree}\n`, lock);
  expect(parts.map(({ name, license, dependsOn }) => [name, license, dependsOn])).toEqual([
    ['bytes', 'MIT', []],
    ['zstd', 'BSD-3-Clause', ['pkg:cargo/zstd-sys@2.0.0']],
    ['zstd-sys', 'MIT OR Apache-2.0', []],
    ['unlicensed', null, []],
  ]);
  expect(usedByUs).toEqual(['pkg:cargo/bytes@1.12.1', 'pkg:cargo/zstd@0.14.3+zstd.1.6', 'pkg:cargo/unlicensed@1.0.0']);
  expect(parts[0]?.hash).toEqual({ algorithm: 'SHA-256', content: SHA });
});

test('a crate that the lock file does not have is an error', () => {
  expect(() => cargoParts('0a v1.0.0|MIT', lockOf('a 1.0.1'))).toThrow('a 1.0.0 is not in the lock file');
});

// So that no crate is overlooked.
test('a line of unknown form is an error', () => {
  expect(() => cargoParts('├── a v1.0.0', '')).toThrow('unknown form');
});
