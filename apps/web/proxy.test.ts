import { NextRequest } from 'next/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { proxy } from './proxy.ts';

afterEach(() => vi.unstubAllEnvs());

function headersOf(webUrl: string): Headers {
  vi.stubEnv('PENSTOCK_WEB_URL', webUrl);
  return proxy(new NextRequest(`${webUrl}/pricing`)).headers;
}

describe('over https', () => {
  test('browsers are told to stay there, for two years', () => {
    const headers = headersOf('https://app.example.com');
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
  });
});

describe('over plain http, as on one’s own machine', () => {
  test('they are not, or nothing would load', () => {
    const headers = headersOf('http://localhost:3000');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  });
});

test('a nonce is used once, has 128 bits, and no script runs without one', () => {
  const policies = Array.from(
    { length: 50 },
    () => headersOf('http://localhost:3000').get('content-security-policy') ?? '',
  );
  const nonces = policies.map((policy) => /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1] ?? '');
  expect(new Set(nonces).size).toBe(50);
  for (const nonce of nonces) {
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
  }
  expect(policies.join()).not.toMatch(/script-src[^;]*unsafe/);
});
