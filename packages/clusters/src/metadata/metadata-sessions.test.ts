import { once } from 'node:events';
import { createServer, type Http2Session, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { MetadataSessions } from './metadata-sessions.ts';

test('a connection closed during a call fails only that call', async () => {
  const server = createServer();
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  const manager = new MetadataSessions(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const call = async (): Promise<Http2Session | undefined> => {
    const stream = await manager.request('POST', '/', {}, {});
    const { session } = stream;
    stream.resume().end();
    await once(stream, 'close');
    return session;
  };
  try {
    const session = await call();
    const calledAtTheClose = new Promise((resolve) => session?.once('goaway', () => resolve(call())));
    const ended = new Promise<void>((resolve) => session?.once('close', () => resolve()));
    sessions[0]?.close();
    await Promise.all([calledAtTheClose, ended]);
    expect(sessions).toHaveLength(2);
    expect(unhandled).toEqual([]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) {
      process.on('uncaughtException', listener);
    }
    manager.abort();
    server.close();
  }
});
