// Determines the network address of a request. Throttles count by it, so the client must not be able to choose it.
import { BlockList, isIP } from 'node:net';

/** The 16-bit groups of an IPv6 address that identify the network. Within it a customer picks addresses freely. */
const NETWORK_GROUPS = 4;

/** Cached, because settings do not change. */
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

/** Normalizes an address: IPv4 mapped into IPv6 becomes IPv4. */
function plain(hop: string): string {
  const address = hop.trim().replace(/^\[(.*)\]$/, '$1');
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address.toLowerCase();
}

/** All groups of an IPv6 address, with `::` expanded. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after];
}

/**
 * Reads the addresses that the hops of a request recorded, nearest last, and takes the last one that is not our proxy.
 * Anybody may have forged the entries before it.
 * @param trustedProxies addresses or CIDR ranges
 * @returns `unknown` if no hop recorded one
 */
export function clientAddress(headers: Pick<Headers, 'get'>, trustedProxies: readonly string[]): string {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map(plain);
  const client = trustedProxies.length === 0 ? hops.at(-1) : hops.findLast((hop) => !isAmong(hop, trustedProxies));
  return client === undefined || isIP(client) === 0 ? 'unknown' : client;
}

/** Whether an address is one of these addresses, or in one of these CIDR ranges. */
export function isAmong(address: string, ranges: readonly string[]): boolean {
  const hop = plain(address);
  const family = isIP(hop);
  return family !== 0 && rangesOf(ranges).check(hop, family === 6 ? 'ipv6' : 'ipv4');
}

/** The address that throttles count as one client: an IPv4 address, or the network of an IPv6 address. */
export function addressNetwork(address: string): string {
  if (isIP(address) !== 6) {
    return address;
  }
  return `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The IPv4 groups and IPv6 groups that tell networks apart when a key is used from a new one. */
const ALERT_OCTETS = 3;
const ALERT_GROUPS = 3;

/** The /24 of an IPv4 address or the /48 of an IPv6 address: coarse enough that machines of one site share it. */
export function alertNetwork(address: string): string {
  return isIP(address) === 6
    ? `${groupsOf(address).slice(0, ALERT_GROUPS).join(':')}::/48`
    : `${address.split('.').slice(0, ALERT_OCTETS).join('.')}.0/24`;
}
