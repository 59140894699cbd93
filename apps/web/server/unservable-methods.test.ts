import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { replaceUnservableMethod } from './unservable-methods.ts';

it('TRACE arrives as OPTIONS, and every other method unchanged', async () => {
  const server = createServer((incoming, response) => {
    replaceUnservableMethod(incoming);
    response.setHeader('x-method', incoming.method ?? '').end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const seen: unknown[] = [];
  for (const method of ['TRACE', 'GET', 'DELETE']) {
    const sent = request({ host: '127.0.0.1', port, method }).end();
    const [response] = await once(sent, 'response');
    seen.push(response.headers['x-method']);
    response.resume();
  }
  server.close();
  expect(seen).toEqual(['OPTIONS', 'GET', 'DELETE']);
});
