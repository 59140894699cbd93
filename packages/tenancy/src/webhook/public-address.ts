// Which addresses a webhook may reach: only public ones, so that nobody can make us call hosts that only we can reach.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that lead to hosts that only we reach: the IANA special-purpose address registry, and what a cloud adds. */
const specialIpv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's own services inside each virtual network; registered as public
  ['169.254.0.0', 16], // link-local: the clouds' instance metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * For IPv6 the reverse: only 2000::/3 is allocated, and these ranges within it are special or lead to IPv4 by another
 * route.
 */
const specialIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of specialIpv4) {
  special.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of specialIpv6) {
  special.addSubnet(network, prefix, 'ipv6');
}

const givenOutIpv6 = new BlockList();
givenOutIpv6.addSubnet('2000::', 3, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether this is an address on the public internet. False for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    return !special.check(address, 'ipv4');
  }
  return isIPv6(address) && givenOutIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) {
    return loopback.check(address, 'ipv4');
  }
  return isIPv6(address) && loopback.check(address, 'ipv6');
}
