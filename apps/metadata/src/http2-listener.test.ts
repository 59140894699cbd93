import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { createLogger } from '@penstock/platform';
import { type Certificate, TestAuthority } from '@penstock/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  ADMIN_PORT,
  AGENT_PORT,
  createHttp2Listener,
  type Http2ListenerOptions,
  type PortTls,
} from './http2-listener.ts';

const RELOAD_MS = 20;

let authority: TestAuthority;
let foreign: TestAuthority;
let first: Certificate;
let second: Certificate;
let caller: Certificate;
let stranger: Certificate;
const closers: (() => void)[] = [];

beforeAll(async () => {
  [authority, foreign] = await Promise.all([TestAuthority.create(), TestAuthority.create()]);
  [first, second, caller] = [
    await authority.issue('first'),
    await authority.issue('second'),
    await authority.issue('web'),
  ];
  stranger = await foreign.issue('web');
});

afterEach(() => {
  for (const close of closers.splice(0).reverse()) {
    close();
  }
});

afterAll(async () => {
  await Promise.all([authority.remove(), foreign.remove()]);
});

const silent = createLogger({ name: 'test', level: 'silent' });

async function start(tls: PortTls, logger: Http2ListenerOptions['logger'] = silent): Promise<number> {
  const { server, stop } = await createHttp2Listener({ port: ADMIN_PORT, tls, logger, reloadEveryMs: RELOAD_MS });
  server.on('sessionError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close(), stop);
  return (server.address() as AddressInfo).port;
}

/** The name in the server's certificate, once the server has accepted the connection; an error when it does not. */
async function nameAt(port: number, client?: Certificate): Promise<string> {
  const own = client && { cert: await readFile(client.certFile), key: await readFile(client.keyFile) };
  const ca = await readFile(authority.certFile);
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'], ...own });
  closers.push(() => socket.destroy());
  // In TLS 1.3 the client's certificate is refused after the handshake, so the server's first frame is the proof.
  await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => Promise.reject(new Error('the connection was closed'))),
  ]);
  return String(socket.getPeerCertificate().subject.CN);
}

test('with an authority, admits only certificates that it signed', async () => {
  const port = await start({ ...first, clientCaFile: authority.certFile });
  expect(await nameAt(port, caller)).toBe('first');
  await expect(nameAt(port)).rejects.toThrow();
  await expect(nameAt(port, stranger)).rejects.toThrow();
});

test('without one, callers need no certificate', async () => {
  expect(await nameAt(await start({ ...first, clientCaFile: undefined }))).toBe('first');
});

// A broken file changes nothing.
test('uses a new certificate without a restart', async () => {
  const files = { certFile: join(authority.folder, 'live.pem'), keyFile: join(authority.folder, 'live-key.pem') };
  const install = async (from: Certificate): Promise<void> => {
    await copyFile(from.keyFile, files.keyFile);
    await copyFile(from.certFile, files.certFile);
  };
  await install(first);
  const port = await start({ ...files, clientCaFile: undefined });
  expect(await nameAt(port)).toBe('first');
  await install(second);
  await expect.poll(() => nameAt(port)).toBe('second');
  await writeFile(files.certFile, 'broken');
  expect(await nameAt(port)).toBe('second');
  await install(first);
  await expect.poll(() => nameAt(port)).toBe('first');
});

test.each(['certFile', 'keyFile', 'clientCaFile'] as const)(
  'an empty %s, as while it is replaced, changes nothing',
  async (file) => {
    const files = {
      certFile: join(authority.folder, 'replaced.pem'),
      keyFile: join(authority.folder, 'replaced-key.pem'),
      clientCaFile: join(authority.folder, 'replaced-ca.pem'),
    };
    await copyFile(first.certFile, files.certFile);
    await copyFile(first.keyFile, files.keyFile);
    await copyFile(authority.certFile, files.clientCaFile);
    const refusals = vi.fn();
    const port = await start(files, { info: () => undefined, error: refusals });
    await writeFile(files[file], '');
    await expect.poll(() => refusals.mock.calls.length).toBeGreaterThan(0);
    expect(await nameAt(port, caller)).toBe('first');
    await expect(nameAt(port, stranger)).rejects.toThrow();
  },
);

test('a service without a usable certificate does not start', async () => {
  const missing = { ...first, certFile: '/nowhere/cert.pem', clientCaFile: undefined };
  const listen = (port: typeof ADMIN_PORT, tls: PortTls) => createHttp2Listener({ port, tls, logger: silent });
  await expect(listen(ADMIN_PORT, missing)).rejects.toMatchObject({ code: 'admin_tls_unusable' });
  await expect(listen(AGENT_PORT, missing)).rejects.toMatchObject({
    code: 'agent_tls_unusable',
    message: expect.stringContaining('the port for agents'),
    remedy: 'Check PENSTOCK_METADATA_TLS_CERT and PENSTOCK_METADATA_TLS_KEY.',
  });
  const mixed = { certFile: first.certFile, keyFile: second.keyFile, clientCaFile: undefined };
  await expect(listen(ADMIN_PORT, mixed)).rejects.toMatchObject({ code: 'admin_tls_unusable' });
});
