import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hopsWith, notePeer } from './note-peers.ts';

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    notePeer(request);
    response.end(String(request.headers['x-forwarded-for']));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

async function seen(headers: Record<string, string>): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port, headers });
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
  }
  return text;
}

describe('the last hop of a request', () => {
  it('is the peer of the connection, whatever the client claims', async () => {
    expect(await seen({})).toBe('127.0.0.1');
    expect(await seen({ 'x-forwarded-for': '203.0.113.9' })).toBe('203.0.113.9, 127.0.0.1');
  });

  it.each([
    [undefined, '192.0.2.1'],
    ['', '192.0.2.1'],
    [['1.1.1.1', '2.2.2.2'], '1.1.1.1, 2.2.2.2, 192.0.2.1'],
  ])('is appended to %j', (brought, hops) => {
    expect(hopsWith(brought, '192.0.2.1')).toBe(hops);
  });
});
