import { expect, test } from 'vitest';
import { callerAddress, peerValues } from './caller-address.ts';

function addressOf(peer: string, forwarded: string | undefined, trusted: string[]): string {
  const requestHeader = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
  return callerAddress({ values: peerValues({ remoteAddress: peer }), requestHeader }, trusted);
}

test.each([
  ['the peer of the connection', '198.51.100.7', undefined, [], '198.51.100.7'],
  ['the peer, whatever it writes into a header', '198.51.100.7', '6.6.6.6', [], '198.51.100.7'],
  ['who a trusted balancer says called it', '10.0.0.9', '6.6.6.6, 198.51.100.7', ['10.0.0.0/8'], '198.51.100.7'],
  ['the peer when it is no balancer of ours', '203.0.113.9', '198.51.100.7', ['10.0.0.0/8'], '203.0.113.9'],
  ['an IPv4 address within IPv6', '::ffff:198.51.100.7', undefined, [], '198.51.100.7'],
  ['an IPv6 address', '2001:db8:1:2::5', undefined, [], '2001:db8:1:2::5'],
])('a caller counts as %s', (_what, peer, forwarded, trusted, expected) => {
  expect(addressOf(peer, forwarded, trusted)).toBe(expected);
});
