import { expect, test } from 'vitest';
import { floors, lockedVersions, readLockfiles, versionFaults } from './version-floors.ts';

test('no locked dependency is below a version with a known vulnerability', () => {
  expect(versionFaults(readLockfiles())).toEqual([]);
});

test('the packages with floors are in the lockfiles, so that the check cannot pass by finding nothing', () => {
  const texts = readLockfiles();
  const found = floors.filter(({ lockfile, name }) => lockedVersions(lockfile, name, texts[lockfile]).length > 0);
  expect(found.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['next', 'sharp', '@trpc/server', 'zod', 'better-auth']),
  );
});

test('a version below its floor is found in either lockfile', () => {
  const texts = {
    'pnpm-lock.yaml':
      "packages:\n\n  next@16.4.0:\n    resolution: {}\n\n  '@trpc/server@11.7.9':\n    resolution: {}\n",
    'apps/agent/Cargo.lock': '[[package]]\nname = "h2"\nversion = "0.4.15"\n',
  };
  expect(versionFaults(texts)).toEqual([
    'next 16.4.0 in pnpm-lock.yaml has a known hole: update to 16.4.1 or newer',
    '@trpc/server 11.7.9 in pnpm-lock.yaml has a known hole: update to 11.8.0 or newer',
    'h2 0.4.15 in apps/agent/Cargo.lock has a known hole: update to 0.4.16 or newer',
  ]);
});
