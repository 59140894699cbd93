// From which network address a request comes. Decides what throttles count together, so it must not be the sender's to choose.
import { BlockList, isIP } from 'node:net';

/** Groups of 16 bits of an IPv6 address that name the network; within it a customer picks addresses freely. */
const NETWORK_GROUPS = 4;

/** Settings do not change: their lists are made once. */
const knownRanges = new WeakMap<readonly string[], BlockList>();

function rangesOf(trustedProxies: readonly string[]): BlockList {
  const known = knownRanges.get(trustedProxies);
  if (known !== undefined) {
    return known;
  }
  const list = new BlockList();
  knownRanges.set(trustedProxies, list);
  for (const range of trustedProxies) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) {
      list.addAddress(address, family);
    } else {
      list.addSubnet(address, Number(prefix), family);
    }
  }
  return list;
}

/** An address without the forms that mean the same: no IPv4 inside IPv6. */
function plain(hop: string): string {
  const address = hop.trim().replace(/^\[(.*)\]$/, '$1');
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address.toLowerCase();
}

/** All groups of an IPv6 address, `::` written out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after];
}

/**
 * Reads the addresses that the hops of a request noted, nearest last, and takes the last one that is no proxy of ours: what
 * stands before it anybody may have written.
 * @param trustedProxies addresses or CIDR ranges
 * @returns `unknown` when no hop noted any
 */
export function clientAddress(headers: Pick<Headers, 'get'>, trustedProxies: readonly string[]): string {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map(plain);
  const client = trustedProxies.length === 0 ? hops.at(-1) : hops.findLast((hop) => !isAmong(hop, trustedProxies));
  return client === undefined || isIP(client) === 0 ? 'unknown' : client;
}

function isAmong(hop: string, ranges: readonly string[]): boolean {
  const family = isIP(hop);
  return family !== 0 && rangesOf(ranges).check(hop, family === 6 ? 'ipv6' : 'ipv4');
}

/** What throttles count as one sender: an IPv4 address, or the network of an IPv6 address. */
export function addressNetwork(address: string): string {
  if (isIP(address) !== 6) {
    return address;
  }
  return `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
