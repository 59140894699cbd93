import { expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.0',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this machine', '127.0.0.1'],
  ['this machine, another of its names', '127.255.255.254'],
  ['any interface', '0.0.0.0'],
  ['a private network', '10.1.2.3'],
  ['a private network', '172.16.0.1'],
  ['a private network', '172.31.255.255'],
  ['a private network', '192.168.1.1'],
  ['a carrier’s network', '100.64.0.1'],
  ['the instance metadata of a cloud', '169.254.169.254'],
  ['the services inside a network of Azure', '168.63.129.16'],
  ['the instance metadata of a cloud over IPv6', 'fd00:ec2::254'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['this machine over IPv6', '::1'],
  ['unspecified over IPv6', '::'],
  ['IPv4 mapped into IPv6', '::ffff:127.0.0.1'],
  ['a public address mapped into IPv6', '::ffff:8.8.8.8'],
  ['IPv4 behind NAT64', '64:ff9b::7f00:1'],
  ['IPv4 behind 6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:7f00:1::'],
  ['a link of IPv6', 'fe80::1'],
  ['a zone of a link', 'fe80::1%eth0'],
  ['documentation', '2001:db8::1'],
  ['no address at all', 'example.com'],
])('%s (%s) is not public', (_what, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['10.0.0.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['localhost', false],
])('%s is this machine: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});
