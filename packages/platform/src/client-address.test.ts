import { expect, test } from 'vitest';
import { addressNetwork, clientAddress } from './client-address.ts';

const noted = (hops: string) => new Headers({ 'x-forwarded-for': hops });

test.each([
  ['198.51.100.7', [], '198.51.100.7'],
  ['6.6.6.6, 198.51.100.7', [], '198.51.100.7'],
  ['6.6.6.6, 198.51.100.7, 10.0.0.9', ['10.0.0.0/8'], '198.51.100.7'],
  ['198.51.100.7, 10.0.0.9, 10.1.2.3', ['10.0.0.0/8'], '198.51.100.7'],
  ['6.6.6.6, 203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
  ['2001:DB8::1', [], '2001:db8::1'],
  ['::ffff:198.51.100.7', [], '198.51.100.7'],
  ['198.51.100.7, fd00::1', ['fd00::/8'], '198.51.100.7'],
  ['garbage', [], 'unknown'],
  ['', [], 'unknown'],
])('of %s behind %j it is %s', (hops, proxies, expected) => {
  expect(clientAddress(noted(hops), proxies)).toBe(expected);
});

test('addresses of one IPv6 network count as one client', () => {
  expect(addressNetwork('2001:db8:1:2::1')).toBe(addressNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(addressNetwork('2001:db8:1:2::1')).not.toBe(addressNetwork('2001:db8:1:3::1'));
  expect(addressNetwork('198.51.100.7')).toBe('198.51.100.7');
});

test.each([
  ['1.1.1.1, 9.9.9.9', [], '9.9.9.9'],
  ['1.1.1.1, 9.9.9.9, 10.0.0.7', ['10.0.0.0/8'], '9.9.9.9'],
  ['1.1.1.1, 10.0.0.9, 10.0.0.7', ['10.0.0.0/8', '192.0.2.1'], '1.1.1.1'],
  ['2001:db8:1:2:3::4', [], '2001:db8:1:2::/64'],
  ['', [], 'unknown'],
])('a quota counts "%s" behind the proxies %j as %s', (hops, proxies, caller) => {
  expect(addressNetwork(clientAddress(noted(hops), proxies))).toBe(caller);
});
