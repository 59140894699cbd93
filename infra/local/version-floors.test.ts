import { expect, test } from 'vitest';
import { floors, type Lockfile, lockedVersions, readLockfiles, versionFaults } from './version-floors.ts';

test('no locked dependency has a known vulnerability', () => {
  expect(versionFaults(readLockfiles())).toEqual([]);
});

// So that the check cannot pass by finding nothing.
test('the lockfiles contain the packages with floors', () => {
  const texts = readLockfiles();
  const locked = (registry: 'npm' | 'crates', lockfile: Lockfile): string[] =>
    floors
      .filter((floor) => floor.registry === registry)
      .map(({ name }) => name)
      .filter((name) => lockedVersions(registry, name, texts[lockfile]).length > 0);
  expect(locked('npm', 'pnpm-lock.yaml')).toEqual(
    expect.arrayContaining(['next', 'sharp', '@trpc/server', 'zod', 'better-auth']),
  );
  expect(locked('crates', 'apps/agent/Cargo.lock')).toEqual(expect.arrayContaining(['h2', 'rustls']));
  expect(locked('crates', 'apps/agent/fuzz/Cargo.lock')).toEqual(expect.arrayContaining(['h2', 'rustls']));
  expect(locked('crates', 'e2e/agent-sim/Cargo.lock')).toEqual(expect.arrayContaining(['h2', 'rustls']));
});

test('a version below its floor is found in each lockfile', () => {
  const texts = {
    'pnpm-lock.yaml':
      "packages:\n\n  next@16.4.0:\n    resolution: {}\n\n  '@trpc/server@11.7.9':\n    resolution: {}\n",
    'apps/agent/Cargo.lock': '[[package]]\nname = "h2"\nversion = "0.4.15"\n',
    'apps/agent/fuzz/Cargo.lock': '[[package]]\nname = "rustls"\nversion = "0.23.45"\n',
    'e2e/agent-sim/Cargo.lock': '[[package]]\nname = "rustls"\nversion = "0.23.44"\n',
  };
  expect(versionFaults(texts)).toEqual([
    'next 16.4.0 in pnpm-lock.yaml has a known hole: update to 16.4.1 or newer',
    '@trpc/server 11.7.9 in pnpm-lock.yaml has a known hole: update to 11.8.0 or newer',
    'h2 0.4.15 in apps/agent/Cargo.lock has a known hole: update to 0.4.16 or newer',
    'rustls 0.23.45 in apps/agent/fuzz/Cargo.lock has a known hole: update to 0.23.46 or newer',
    'rustls 0.23.44 in e2e/agent-sim/Cargo.lock has a known hole: update to 0.23.46 or newer',
  ]);
});
