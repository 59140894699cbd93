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

const URL_OF_AGENT = 'http://10.0.3.7:9466';

test('a key hash has 32 bytes, or none without an address', () => {
  const key = new Uint8Array(32).fill(7);
  expect(internalKey(URL_OF_AGENT, key)).toEqual(key);
  expect(internalKey('', key)).toEqual(key);
  expect(internalKey('', new Uint8Array())).toEqual(new Uint8Array());
});

test.each([0, 1, 31, 33, 64])('a key hash of %i bytes is refused', (bytes) => {
  const problem = { code: Code.InvalidArgument, rawMessage: expect.stringContaining(`has ${bytes} bytes`) };
  expect(() => internalKey(URL_OF_AGENT, new Uint8Array(bytes))).toThrow(expect.objectContaining(problem));
});
