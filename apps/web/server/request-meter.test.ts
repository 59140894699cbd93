import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderOpenMetrics } from '@penstock/telemetry';
import { afterEach, expect, test } from 'vitest';
import { type AccessLine, RequestMeter } from './request-meter.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Metered {
  url: string;
  meter: RequestMeter;
  lines: AccessLine[];
}

async function startMetered(): Promise<Metered> {
  const lines: AccessLine[] = [];
  const meter = new RequestMeter({
    trustedProxies: [],
    monotonicMs: () => performance.now(),
    writeAccess: (line) => lines.push(line),
  });
  server = createServer((request, response) => {
    request.headers['x-forwarded-for'] = '203.0.113.7';
    meter.follow(request, response);
    if (request.url?.startsWith('/app') === true) {
      response.writeHead(200).end('a page');
    } else if (request.url?.startsWith('/api/v1') === true) {
      response.writeHead(503).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, meter, lines };
}

function textOf(meter: RequestMeter): string {
  return renderOpenMetrics(meter.families());
}

test('counts by route, method and code, and measures', async () => {
  const { url, meter } = await startMetered();
  await (await fetch(`${url}/app/clusters`)).text();
  await (await fetch(`${url}/api/v1/clusters`)).text();
  await expect.poll(() => textOf(meter)).toContain('penstock_web_requests_in_progress 0');
  const text = textOf(meter);
  expect(text).toContain('penstock_web_requests_total{route="/app",method="GET",code="200"} 1');
  expect(text).toContain('penstock_web_requests_total{route="/api/v1/clusters",method="GET",code="503"} 1');
  expect(text).toContain('penstock_web_request_seconds_count{route="/app"} 1');
});

test('a caller that leaves early counts as 499', async () => {
  const { url, meter } = await startMetered();
  const abort = new AbortController();
  const asked = fetch(`${url}/unanswered`, { signal: abort.signal }).catch(() => undefined);
  await expect.poll(() => textOf(meter)).toContain('penstock_web_requests_in_progress 1');
  abort.abort();
  await asked;
  await expect.poll(() => textOf(meter)).toContain('{route="other",method="GET",code="499"} 1');
});

test('the access log has no query and no token of a mail', async () => {
  const { url, meter, lines } = await startMetered();
  await (await fetch(`${url}/app/clusters?token=secret`)).text();
  const abort = new AbortController();
  const asked = fetch(`${url}/api/auth/reset-password/secret`, { signal: abort.signal }).catch(() => undefined);
  await expect.poll(() => lines.length).toBe(1);
  await expect.poll(() => textOf(meter)).toContain('penstock_web_requests_in_progress 1');
  abort.abort();
  await asked;
  await expect.poll(() => lines.length).toBe(2);
  expect(JSON.stringify(lines)).not.toContain('secret');
  expect(lines[0]).toMatchObject({ method: 'GET', path: '/app/clusters', status: 200, address: '203.0.113.7' });
});
