// The Debian packages of an image.
import { PackageURL } from 'packageurl-js';
import type { Inventory } from './inventory.ts';

/**
 * @param packages a line for each package: name, version and architecture, separated by tabs, from dpkg-query
 * @param release Debian's version, such as 12
 */
export function debianParts(packages: string, release: string): Inventory {
  const parts = packages
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', version = '', arch = ''] = line.split('\t');
      const qualifiers = { arch, distro: `debian-${release}` };
      const purl = new PackageURL('deb', 'debian', name, version, qualifiers, undefined).toString();
      return { purl, name, group: null, version, license: null, hash: null, dependsOn: [] };
    });
  return { parts, usedByUs: parts.map(({ purl }) => purl) };
}
