// A test sees a connection that the peer closes, even if the peer had not read everything.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { RawConnection } from './raw-connection.ts';

const TIMEOUT_MS = 10_000;

test.each<[string, (socket: Socket) => void]>([
  ['an end', (socket) => socket.end()],
  ['a reset', (socket) => socket.resetAndDestroy()],
])('%s closes a connection', async (_, end) => {
  const server = createServer((socket) => socket.once('data', () => end(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = await RawConnection.open(`127.0.0.1:${port}`, TIMEOUT_MS);
  await expect(connection.ask(18, 0, Buffer.alloc(0), TIMEOUT_MS)).rejects.toThrow(/^the connection was closed$/);
  server.close();
});
