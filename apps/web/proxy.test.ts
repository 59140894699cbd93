import { NextRequest } from 'next/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { proxy } from './proxy.ts';
import { messagesPageCluster } from './server/messages-page.ts';
import { contentSecurityPolicy } from './server/security-headers.ts';

afterEach(() => vi.unstubAllEnvs());

async function headersOf(webUrl: string): Promise<Headers> {
  vi.stubEnv('PENSTOCK_WEB_URL', webUrl);
  return (await proxy(new NextRequest(`${webUrl}/pricing`))).headers;
}

describe('over https', () => {
  test('HSTS is set for two years', async () => {
    const headers = await headersOf('https://app.example.com');
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
  });
});

describe('over plain http, as on a local machine', () => {
  // Otherwise nothing would load.
  test('HSTS and upgrades to https are off', async () => {
    const headers = await headersOf('http://localhost:3000');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  });
});

test('scripts need a unique nonce of 128 bits', async () => {
  const answers = Array.from({ length: 50 }, () => headersOf('http://localhost:3000'));
  const policies = (await Promise.all(answers)).map((headers) => headers.get('content-security-policy') ?? '');
  const nonces = policies.map((policy) => /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1] ?? '');
  expect(new Set(nonces).size).toBe(50);
  for (const nonce of nonces) {
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
  }
  expect(policies.join()).not.toMatch(/script-src[^;]*unsafe/);
});

// The calculator computes in one.
test('a page starts workers from its own origin only', async () => {
  expect((await headersOf('http://localhost:3000')).get('content-security-policy')).toContain("; worker-src 'self';");
});

describe('the messages page of a topic', () => {
  const clusterId = '0199d7a0-0000-7000-8000-000000000001';

  test('is the only page that may call agents', async () => {
    expect((await headersOf('http://localhost:3000')).get('content-security-policy')).toContain("connect-src 'self';");
    expect(messagesPageCluster(`/app/clusters/${clusterId}/topics/orders/messages`)).toBe(clusterId);
    for (const path of ['topics', 'topics/orders', 'topics/orders/messages/more', 'topics/a/b/messages', 'messages']) {
      expect(messagesPageCluster(`/app/clusters/${clusterId}/${path}`)).toBeNull();
    }
    expect(messagesPageCluster('/app/clusters/x/topics/orders/messages')).toBeNull();
  });

  test('lists exactly the agents that it may call', () => {
    const agentOrigins = ['https://records.example.com', 'http://127.0.0.1:9465'];
    const policy = contentSecurityPolicy('n', { isHttps: true, isDevelopment: false, agentOrigins });
    expect(policy).toContain("; connect-src 'self' https://records.example.com http://127.0.0.1:9465;");
  });
});

describe('a path below the documentation', () => {
  const rewritten = async (path: string): Promise<string | null> =>
    (await proxy(new NextRequest(`http://localhost:3000${path}`))).headers.get('x-middleware-rewrite');

  test('without a page is a 404 from the router, like any other', async () => {
    for (const path of ['/docs/nope', '/docs/nope/', '/docs/quick-start']) {
      expect(await rewritten(path), path).toBe('http://localhost:3000/not-found');
    }
  });

  test('with a page is served', async () => {
    for (const path of ['/docs', '/docs/concepts', '/docs/api', '/pricing']) {
      expect(await rewritten(path), path).toBeNull();
    }
  });
});
