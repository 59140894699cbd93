import { expect, test } from 'vitest';
import { isFromOurPages } from './request-origin.ts';

const WEB_URL = 'https://app.example.com';

function request(headers: Record<string, string>): Request {
  return new Request(`${WEB_URL}/api/trpc/cluster.delete`, { method: 'POST', headers });
}

test.each([
  ['our own page', { origin: WEB_URL, 'sec-fetch-site': 'same-origin' }],
  ['our own page reading', { 'sec-fetch-site': 'same-origin' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['a program', {}],
])('%s is accepted', (_who, headers) => {
  expect(isFromOurPages(request(headers), WEB_URL)).toBe(true);
});

test.each([
  ['another site', { origin: 'https://evil.example' }],
  ['a sibling on the same domain', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
  ['the same host over plain http', { origin: 'http://app.example.com' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another site reading', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling reading', { 'sec-fetch-site': 'same-site' }],
])('%s is refused', (_who, headers) => {
  expect(isFromOurPages(request(headers), WEB_URL)).toBe(false);
});
