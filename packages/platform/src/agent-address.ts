// The hosts that agents advertise, and the patterns that say which of them a key may register.
import { isIP } from 'node:net';
import { isAmong } from './client-address.ts';

interface Patterns {
  names: ReadonlySet<string>;
  /** With the leading dot. */
  suffixes: readonly string[];
  /** IP addresses and CIDR ranges. */
  ranges: readonly string[];
}

/** Cached, because every heartbeat asks. */
const knownPatterns = new WeakMap<readonly string[], Patterns>();

/** The host in the form in which hosts are compared and stored: lower case, without brackets or the final dot. */
export function normalizedHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/**
 * Whether a host matches one of the patterns: a name, `*.` and a suffix (any host below it), an IP address, or a CIDR
 * range.
 */
export function isHostAmong(host: string, patterns: readonly string[]): boolean {
  const own = normalizedHost(host);
  const { names, suffixes, ranges } = patternsOf(patterns);
  if (isIP(own) !== 0) {
    return ranges.length > 0 && isAmong(own, ranges);
  }
  return names.has(own) || suffixes.some((suffix) => own.length > suffix.length && own.endsWith(suffix));
}

function patternsOf(patterns: readonly string[]): Patterns {
  const known = knownPatterns.get(patterns);
  if (known !== undefined) {
    return known;
  }
  const texts = patterns.map(normalizedHost);
  const isRange = (text: string): boolean => isIP(text.split('/')[0] ?? '') !== 0;
  const parsed = {
    names: new Set(texts.filter((text) => !isRange(text) && !text.startsWith('*.'))),
    suffixes: texts.filter((text) => text.startsWith('*.')).map((text) => text.slice(1)),
    ranges: texts.filter(isRange),
  };
  knownPatterns.set(patterns, parsed);
  return parsed;
}
