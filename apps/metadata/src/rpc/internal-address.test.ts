import { Code } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { internalKey, internalOrigin } from './internal-address.ts';

test.each([
  ['http://10.0.3.7:9466', 'http://10.0.3.7:9466'],
  ['http://agent-1.penstock.svc:9466/', 'http://agent-1.penstock.svc:9466'],
  ['http://[fd00::7]:9466', 'http://[fd00::7]:9466'],
  ['https://10.0.3.7:9466', 'https://10.0.3.7:9466'],
])('%s is the origin %s', (text, origin) => {
  expect(internalOrigin(text)).toBe(origin);
});

test.each([
  '',
  '10.0.3.7:9466',
  'http://10.0.3.7:9466/v1',
  'http://10.0.3.7:9466?x=1',
  'http://10.0.3.7:9466#x',
  'http://user:password@10.0.3.7:9466',
  'ftp://10.0.3.7:9466',
  'file:///etc/passwd',
  `http://${'a'.repeat(300)}:9466`,
])('%j is not an origin', (text) => {
  expect(internalOrigin(text)).toBeNull();
});

test.each([0, 32])('a key hash of %i bytes is taken as it is', (bytes) => {
  expect(internalKey(new Uint8Array(bytes).fill(7))).toEqual(new Uint8Array(bytes).fill(7));
});

test.each([1, 31, 33, 64])('a key hash of %i bytes is refused', (bytes) => {
  const problem = { code: Code.InvalidArgument, rawMessage: expect.stringContaining(`has ${bytes} bytes`) };
  expect(() => internalKey(new Uint8Array(bytes))).toThrow(expect.objectContaining(problem));
});
