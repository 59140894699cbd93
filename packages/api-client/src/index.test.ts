import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createPenstockClient } from './index.ts';

test('a call goes to the installation’s API path with its key', async () => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.setHeader('content-type', 'application/json').end('{"data":[],"nextCursor":null}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { data } = await createPenstockClient({ url, apiKey: 'psk_test' }).GET('/clusters');
    expect(requests[0]?.url).toBe('/api/v1/clusters');
    expect(requests[0]?.headers.authorization).toBe('Bearer psk_test');
    expect(data).toMatchObject({ data: [] });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
