// Refuses dependencies with known vulnerabilities. Not every registry has a service for advisories, and not every build machine reaches one, so
// this reads the lockfiles. `advisories.ts` asks the registry as well.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

const LOCKFILES = {
  npm: ['pnpm-lock.yaml'],
  // The fuzz targets and the simulation of agents are workspaces of their own.
  crates: ['apps/agent/Cargo.lock', 'apps/agent/fuzz/Cargo.lock', 'e2e/agent-sim/Cargo.lock'],
} as const;

type Registry = keyof typeof LOCKFILES;
export type Lockfile = (typeof LOCKFILES)[Registry][number];

interface Floor {
  registry: Registry;
  name: string;
  /** The first version without the vulnerability. */
  version: string;
}

/** When somebody last compared the floors with the published advisories. */
const FLOORS_REVIEWED_ON = '2026-11-23';

/** The check reports a review that is older. Time alone never fails it: a commit that passed once passes again. */
const REVIEW_LASTS_DAYS = 30;
const DAY_MS = 86_400_000;

export const floors: Floor[] = [
  { registry: 'npm', name: 'next', version: '16.4.1' },
  { registry: 'npm', name: 'sharp', version: '0.35.5' },
  { registry: 'npm', name: '@trpc/server', version: '11.8.0' },
  { registry: 'npm', name: 'zod', version: '4.6.7' },
  { registry: 'npm', name: 'better-auth', version: '1.7.7' },
  // Signatures that cover something else than what is read.
  { registry: 'npm', name: '@node-saml/node-saml', version: '5.1.0' },
  { registry: 'npm', name: 'xml-crypto', version: '6.0.1' },
  { registry: 'npm', name: '@xmldom/xmldom', version: '0.8.15' },
  { registry: 'npm', name: 'xml2js', version: '0.5.0' },
  { registry: 'crates', name: 'h2', version: '0.4.16' },
  { registry: 'crates', name: 'rustls', version: '0.23.46' },
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
export function lockedVersions(registry: Registry, name: string, text: string): string[] {
  const escaped = name.replaceAll(/[/.]/g, '\\$&');
  const pattern =
    registry === 'npm'
      ? new RegExp(`^  '?${escaped}@([^:('\\s]+)'?:`, 'gm')
      : new RegExp(`^name = "${escaped}"\\nversion = "([^"]+)"`, 'gm');
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

/** Versions below their floor, in words. A package without a locked version passes: it was removed. */
export function versionFaults(texts: Readonly<Record<Lockfile, string>>): string[] {
  return floors.flatMap(({ registry, name, version }) =>
    LOCKFILES[registry].flatMap((lockfile) =>
      lockedVersions(registry, name, texts[lockfile])
        .filter((locked) => isBelow(locked, version))
        .map((locked) => `${name} ${locked} in ${lockfile} has a known hole: update to ${version} or newer`),
    ),
  );
}

/** The texts of all lockfiles. */
export function readLockfiles(): Record<Lockfile, string> {
  const read = (path: Lockfile): string => readFileSync(join(root, path), 'utf8');
  return {
    'pnpm-lock.yaml': read('pnpm-lock.yaml'),
    'apps/agent/Cargo.lock': read('apps/agent/Cargo.lock'),
    'apps/agent/fuzz/Cargo.lock': read('apps/agent/fuzz/Cargo.lock'),
    'e2e/agent-sim/Cargo.lock': read('e2e/agent-sim/Cargo.lock'),
  };
}

/** The age of the last review of the floors, and what to do once another is due. */
export function reviewReport(nowMs: number, reviewedOn: string = FLOORS_REVIEWED_ON): string {
  const ageDays = Math.floor((nowMs - Date.parse(`${reviewedOn}T00:00:00Z`)) / DAY_MS);
  const reviewed = `The version floors were last reviewed on ${reviewedOn}, ${ageDays} days ago.`;
  if (ageDays <= REVIEW_LASTS_DAYS) {
    return reviewed;
  }
  return [
    `${reviewed} A review is due every ${REVIEW_LASTS_DAYS} days.`,
    'Compare the packages in pnpm-lock.yaml and all Cargo.lock files with https://osv.dev (osv-scanner reads these files),',
    'add a floor for each vulnerability that affects them to infra/local/version-floors.ts, and set FLOORS_REVIEWED_ON to today.',
  ].join('\n');
}

/** All packages of pnpm’s lockfile with their versions, as `npm audit` sends them. */
export function npmPackages(lockfile: string): Record<string, string[]> {
  const section = /^packages:\n([\s\S]*?)^(?=\S)/m.exec(`${lockfile}\nend:`)?.[1] ?? '';
  const packages: Record<string, string[]> = {};
  for (const [, name = '', version = ''] of section.matchAll(/^ {2}'?((?:@[^/\s]+\/)?[^@\s']+)@(\d[^:'(\s]*)'?:$/gm)) {
    packages[name] = [...new Set([...(packages[name] ?? []), version])];
  }
  return packages;
}
