// Uses real sockets. The test plays the name server and the receivers.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postWebhook, type Resolve } from './post-webhook.ts';

const embedded = { isLoopbackAllowed: true, allowedPorts: [443] };
const hosted = { isLoopbackAllowed: false, allowedPorts: [443] };

let server: Server;
let port: number;
let received: { request: IncomingMessage; body: string }[];
let answer: { status: number; headers?: Record<string, string> };

beforeEach(async () => {
  received = [];
  answer = { status: 200 };
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ request, body });
      response.writeHead(answer.status, answer.headers).end('what it says is not read');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function resolvingTo(...addresses: string[]): Resolve & { calls: number } {
  const resolve = Object.assign(
    (_name: string, done: Parameters<Resolve>[1]) => {
      resolve.calls += 1;
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
    { calls: 0 },
  );
  return resolve;
}

function post(host: string, policy = embedded, resolve?: Resolve, path = '/hook') {
  const url = new URL(`http://${host}:${port}${path}`);
  return postWebhook({ url, body: '{"a":"ü"}', headers: { 'penstock-event': 'webhook.test' } }, policy, resolve);
}

test('body and headers arrive unchanged', async () => {
  expect(await post('127.0.0.1')).toEqual({ isDelivered: true });
  expect(received[0]?.body).toBe('{"a":"ü"}');
  expect(received[0]?.request.headers).toMatchObject({ 'penstock-event': 'webhook.test', 'content-length': '10' });
});

test.each([
  '127.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '0',
])('a private address written as %s is not called', async (host) => {
  expect(await post(host, hosted)).toEqual({ isDelivered: false, reason: 'it is a private address' });
  expect(received).toEqual([]);
});

test('a name with any private address is not called', async () => {
  const reason = 'its host name resolves to a private network';
  expect(await post('evil.example', hosted, resolvingTo('127.0.0.1'))).toEqual({ isDelivered: false, reason });
  expect(await post('evil.example', hosted, resolvingTo('93.184.216.34', '127.0.0.1'))).toEqual({
    isDelivered: false,
    reason,
  });
  expect(await post('evil.example', embedded, resolvingTo('169.254.169.254'))).toEqual({ isDelivered: false, reason });
  expect(received).toEqual([]);
});

test('a name is resolved once, for the check and the connection', async () => {
  const rebinding = resolvingTo('127.0.0.1');
  expect(await post('receiver.example', embedded, rebinding)).toEqual({ isDelivered: true });
  expect(rebinding.calls).toBe(1);
  expect(received[0]?.request.headers.host).toBe(`receiver.example:${port}`);
});

test('a redirect is a failure and is not followed', async () => {
  answer = { status: 302, headers: { location: `http://127.0.0.1:${port}/inside` } };
  expect(await post('127.0.0.1')).toEqual({
    isDelivered: false,
    reason: 'it returned 302, and we don’t follow redirects',
  });
  expect(received.map(({ request }) => request.url)).toEqual(['/hook']);
});

test.each([204, 299])('%i is delivered', async (status) => {
  answer = { status };
  expect(await post('127.0.0.1')).toEqual({ isDelivered: true });
});

test('the reason for a failure contains no part of the URL', async () => {
  answer = { status: 500 };
  expect(await post('127.0.0.1', embedded, undefined, '/secret-path')).toEqual({
    isDelivered: false,
    reason: 'it returned 500',
  });
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  expect(await post('127.0.0.1', embedded, undefined, '/secret-path')).toEqual({
    isDelivered: false,
    reason: 'it refused the connection',
  });
});
