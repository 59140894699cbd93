// The npm packages of a service, as pnpm-lock.yaml has them: what `pnpm install --prod` installs for it and for our packages that it uses.
import { PackageURL } from 'packageurl-js';
import { parse } from 'yaml';
import type { Inventory, Part } from './inventory.ts';

export interface Platform {
  os: string;
  cpu: string;
  libc: string;
}

type Versions = Readonly<Record<string, string>>;

interface Lockfile {
  importers: Readonly<
    Record<
      string,
      { [Kind in 'dependencies' | 'optionalDependencies']?: Readonly<Record<string, { version: string }>> }
    >
  >;
  packages: Readonly<
    Record<string, { resolution: { integrity?: string }; os?: string[]; cpu?: string[]; libc?: string[] }>
  >;
  snapshots: Readonly<Record<string, { dependencies?: Versions; optionalDependencies?: Versions }>>;
}

/** `name@version(peers)` or, for an alias, the same with another name: the key of a snapshot. */
function snapshotKey(name: string, version: string): string {
  return /^@?[^@(]+@/.test(version) ? version : `${name}@${version}`;
}

/** `@scope/name@1.2.3(peers)` → scope, name, version. */
function split(key: string): { group: string | null; name: string; version: string } {
  const [, group, name = '', version = ''] = /^(?:(@[^/]+)\/)?([^@]+)@([^(]+)/.exec(key) ?? [];
  return { group: group ?? null, name, version };
}

function isFor(platform: Platform, { os, cpu, libc }: { os?: string[]; cpu?: string[]; libc?: string[] }): boolean {
  const admits = (list: string[] | undefined, value: string): boolean =>
    list === undefined || (list.includes(value) && !list.includes(`!${value}`));
  return admits(os, platform.os) && admits(cpu, platform.cpu) && admits(libc, platform.libc);
}

/** sha512 in base64, as npm writes it → hexadecimal. */
function hashOf(integrity: string | undefined): Part['hash'] {
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  return base64 === undefined ? null : { algorithm: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') };
}

/**
 * @param lock the text of pnpm-lock.yaml
 * @param service the folder of the service, such as apps/worker
 * @throws Error if the lock file lacks a package that another one needs
 */
export function pnpmParts(lock: string, service: string, platform: Platform): Inventory {
  const { importers, packages, snapshots } = parse(lock) as Lockfile;
  const parts = new Map<string, Part>();
  const seen = new Set<string>();
  const usedByUs = new Set<string>();

  /** @returns the package URL; undefined if the package is for other platforms */
  const visit = (key: string): string | undefined => {
    const entry = packages[key.replace(/\(.*$/, '')];
    const snapshot = snapshots[key];
    if (entry === undefined || snapshot === undefined) {
      throw new Error(`${key} is not in the lock file`);
    }
    if (!isFor(platform, entry)) {
      return undefined;
    }
    const { group, name, version } = split(key);
    const purl = new PackageURL('npm', group, name, version, undefined, undefined).toString();
    const hash = hashOf(entry.resolution.integrity);
    const part = parts.get(purl) ?? { purl, name, group, version, license: null, hash, dependsOn: [] };
    parts.set(purl, part);
    // Once for each set of peers, which may bring other packages.
    if (!seen.has(key)) {
      seen.add(key);
      for (const [other, at] of Object.entries({ ...snapshot.dependencies, ...snapshot.optionalDependencies })) {
        const used = visit(snapshotKey(other, at));
        if (used !== undefined && !part.dependsOn.includes(used)) {
          part.dependsOn.push(used);
        }
      }
    }
    return purl;
  };

  const visitOurs = (folder: string): void => {
    if (seen.has(folder)) {
      return;
    }
    seen.add(folder);
    const importer = importers[folder];
    if (importer === undefined) {
      throw new Error(`${folder} is not in the lock file`);
    }
    for (const [name, { version }] of Object.entries({ ...importer.dependencies, ...importer.optionalDependencies })) {
      if (version.startsWith('link:')) {
        visitOurs(new URL(version.slice('link:'.length), `file:///${folder}/`).pathname.slice(1));
        continue;
      }
      const used = visit(snapshotKey(name, version));
      if (used !== undefined) {
        usedByUs.add(used);
      }
    }
  };
  visitOurs(service);
  return { parts: [...parts.values()], usedByUs: [...usedByUs] };
}
