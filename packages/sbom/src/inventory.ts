// What a product is made of, whatever package manager or format it comes from.

export interface Part {
  /** Package URL: what vulnerability scanners look up, and what other parts refer to. */
  purl: string;
  name: string;
  /** The scope of an npm package; null for others. */
  group: string | null;
  version: string;
  /** An SPDX expression; null if the source does not say. */
  license: string | null;
  /** Hash of the package as served by its registry, in hexadecimal; null if the source does not have it. */
  hash: { algorithm: 'SHA-256' | 'SHA-512'; content: string } | null;
  /** Package URLs of the parts that this one uses directly. */
  dependsOn: string[];
}

export interface Inventory {
  /** Parts of other people; our own packages count as the product itself. */
  parts: Part[];
  /** Package URLs of the parts that our own packages use directly. */
  usedByUs: string[];
}

/** One inventory of everything in both. */
export function joinInventories(left: Inventory, right: Inventory): Inventory {
  return { parts: [...left.parts, ...right.parts], usedByUs: [...left.usedByUs, ...right.usedByUs] };
}
