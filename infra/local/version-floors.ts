// Refuses dependencies with known vulnerabilities. `npm audit` calls a service that not every build machine reaches; this reads the two
// lockfiles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

interface Floor {
  lockfile: 'pnpm-lock.yaml' | 'apps/agent/Cargo.lock';
  name: string;
  /** The first version without the vulnerability. */
  version: string;
}

export const floors: Floor[] = [
  { lockfile: 'pnpm-lock.yaml', name: 'next', version: '16.4.1' },
  { lockfile: 'pnpm-lock.yaml', name: 'sharp', version: '0.35.5' },
  { lockfile: 'pnpm-lock.yaml', name: '@trpc/server', version: '11.8.0' },
  { lockfile: 'pnpm-lock.yaml', name: 'zod', version: '4.6.7' },
  { lockfile: 'pnpm-lock.yaml', name: 'better-auth', version: '1.7.7' },
  // Signatures that cover something else than what is read.
  { lockfile: 'pnpm-lock.yaml', name: '@node-saml/node-saml', version: '5.1.0' },
  { lockfile: 'pnpm-lock.yaml', name: 'xml-crypto', version: '6.0.1' },
  { lockfile: 'pnpm-lock.yaml', name: '@xmldom/xmldom', version: '0.8.15' },
  { lockfile: 'pnpm-lock.yaml', name: 'xml2js', version: '0.5.0' },
  { lockfile: 'apps/agent/Cargo.lock', name: 'h2', version: '0.4.16' },
  { lockfile: 'apps/agent/Cargo.lock', name: 'rustls', version: '0.23.46' },
];

/** Compares two versions number by number; a pre-release counts as its release. */
function isBelow(version: string, floor: string): boolean {
  const [left, right] = [version, floor].map((text) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}

/** Versions of a package in a lockfile. */
export function lockedVersions(lockfile: Floor['lockfile'], name: string, text: string): string[] {
  const escaped = name.replaceAll(/[/.]/g, '\\$&');
  const pattern =
    lockfile === 'pnpm-lock.yaml'
      ? new RegExp(`^  '?${escaped}@([^:('\\s]+)'?:`, 'gm')
      : new RegExp(`^name = "${escaped}"\\nversion = "([^"]+)"`, 'gm');
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

/** Versions below their floor, in words. A package without a locked version passes: it was removed. */
export function versionFaults(texts: Record<Floor['lockfile'], string>): string[] {
  return floors.flatMap(({ lockfile, name, version }) =>
    lockedVersions(lockfile, name, texts[lockfile])
      .filter((locked) => isBelow(locked, version))
      .map((locked) => `${name} ${locked} in ${lockfile} has a known hole: update to ${version} or newer`),
  );
}

export function readLockfiles(): Record<Floor['lockfile'], string> {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return { 'pnpm-lock.yaml': read('pnpm-lock.yaml'), 'apps/agent/Cargo.lock': read('apps/agent/Cargo.lock') };
}
