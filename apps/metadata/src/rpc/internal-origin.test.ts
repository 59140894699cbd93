import { expect, test } from 'vitest';
import { internalOrigin } from './internal-origin.ts';

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
