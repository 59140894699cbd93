import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { Backend } from '@penstock/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerPublicApi, isPublicApi } from './public-api.ts';

let server: Server;
beforeAll(async () => {
  // Requests without a key use only these fields of the backend.
  const backend = {
    webUrl: 'https://app.example.com',
    trustedProxies: [],
    apiRequestsPerMinute: 1,
  } as unknown as Backend;
  const answer = answerPublicApi(backend);
  server = createServer((asked, response) => void answer(asked, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, headers, method }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

describe('which requests belong to the API', () => {
  it.each([
    ['/api/v1/clusters', true],
    ['/api/v1/openapi.json', true],
    ['/api/v1/nothing?at=all', true],
    ['/api/v1/../../app', true],
    ['/api/v1', false],
    ['/api/v1/clusters/', false],
    ['/api/v1/tco/estimates', true],
    ['/api/v1/tco/catalogue?asOf=2026-11-01', true],
    ['/api/v1/tco/other', true],
    ['/scim/v2/Users', true],
    ['/scim/v2/Users/?count=1', true],
    ['/scim/v2', false],
    ['/api/trpc/cluster.list', false],
    ['/', false],
  ])('%s: %s', (url, isApi) => {
    expect(isPublicApi({ url } as IncomingMessage)).toBe(isApi);
  });
});

it.each(['/api/v1/clusters', '/api/v1/../../app', '/api/v1/openapi.json'])(
  '%s has the security headers',
  async (path) => {
    const { headers } = await ask(path);
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  },
);

it('responses have a request id, and errors problem details', async () => {
  const { status, headers, body } = await ask('/api/v1/clusters', { 'accept-encoding': 'gzip' }, 'POST');
  expect(status).toBe(401);
  expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' });
  expect(headers['cache-control']).toBe('private, no-store');
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'api_key_missing', requestId: headers['x-request-id'] });
});

it('the calculator needs no key but has its own quota', async () => {
  const { status, headers, body } = await ask('/api/v1/tco/catalogue');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
    'ratelimit-policy': '"tco";q=120;w=60',
    'x-frame-options': 'DENY',
  });
  expect(JSON.parse(body.toString()).entries.length).toBeGreaterThan(10);
  const refused = await ask('/api/v1/tco/catalogue', {}, 'DELETE');
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET']);
});

it('long text is compressed only for clients that accept it', async () => {
  const plain = await ask('/api/v1/openapi.json', { 'accept-encoding': 'br, gzip;q=0' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  const packed = await ask('/api/v1/openapi.json', { 'accept-encoding': 'br, gzip' });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  expect(packed.body.length).toBeLessThan(plain.body.length / 4);
});

it('HEAD is answered like GET, without a body', async () => {
  const { status, headers, body } = await ask('/api/v1/openapi.json', {}, 'HEAD');
  expect([status, body.length]).toEqual([200, 0]);
  expect(Number(headers['content-length'])).toBeGreaterThan(10_000);
});
