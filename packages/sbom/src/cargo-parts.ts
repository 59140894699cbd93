// The crates in a Rust binary: `cargo tree` says which ones the compiler links into it, Cargo.lock has their checksums.
import { PackageURL } from 'packageurl-js';
import type { Inventory, Part } from './inventory.ts';

/**
 * The arguments of cargo for the text that `cargoParts` reads. Crates that run only while compiling (procedural macros, build scripts) or in
 * tests are not part of the binary.
 */
export function cargoTreeArguments(crate: string): string[] {
  const edges = ['--edges', 'normal,no-proc-macro'];
  return ['tree', '--locked', '--package', crate, ...edges, '--prefix', 'depth', '--format', '{p}|{l}'];
}

/** `3serde v1.0.229|MIT OR Apache-2.0 (*)`: depth, name, version, folder of our own crates, license, whether the line is a repetition. */
const TREE_LINE = /^(\d+)(\S+) v(\S+?)(?: \((.*)\))?\|(.*?)( \(\*\))?$/;

/** SHA-256 checksums by `name version`. */
function lockedChecksums(lock: string): Map<string, string> {
  const packages = lock.matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "([0-9a-f]{64})"$/gm);
  return new Map([...packages].map(([, name, version, checksum]) => [`${name} ${version}`, checksum ?? '']));
}

/** @throws Error for a line that is not of the expected form, or a crate that the lock file does not have */
export function cargoParts(tree: string, lock: string): Inventory {
  const checksums = lockedChecksums(lock);
  const parts = new Map<string, Part>();
  const usedByUs = new Set<string>();
  /** Per depth, the crate of the last line; null for our own. */
  const path: (Part | null)[] = [];
  for (const line of tree.trimEnd().split('\n')) {
    const [isMatch, depthText, name = '', version = '', folder, license = ''] = TREE_LINE.exec(line) ?? [];
    if (isMatch === undefined) {
      throw new Error(`cargo tree printed a line of unknown form: ${line}`);
    }
    const depth = Number(depthText);
    if (folder !== undefined) {
      path[depth] = null;
      continue;
    }
    const content = checksums.get(`${name} ${version}`);
    if (content === undefined) {
      throw new Error(`${name} ${version} is not in the lock file`);
    }
    const purl = new PackageURL('cargo', undefined, name, version, undefined, undefined).toString();
    const part = parts.get(purl) ?? {
      purl,
      name,
      group: null,
      version,
      // Before SPDX expressions, crates separated alternatives with a slash.
      license: license === '' ? null : license.replaceAll(/\s*\/\s*/g, ' OR '),
      hash: { algorithm: 'SHA-256', content },
      dependsOn: [],
    };
    parts.set(purl, part);
    path[depth] = part;
    const user = path[depth - 1];
    if (user == null) {
      usedByUs.add(purl);
    } else if (!user.dependsOn.includes(purl)) {
      user.dependsOn.push(purl);
    }
  }
  return { parts: [...parts.values()], usedByUs: [...usedByUs] };
}
