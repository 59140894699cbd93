// The worker's connection to a metadata service whose port for the control plane demands client certificates.
import { copyFile, readFile } from 'node:fs/promises';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { createMetadataAdmin } from '@penstock/clusters';
import { AppError, newId } from '@penstock/platform';
import { type Certificate, TestAuthority } from '@penstock/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from './settings.ts';

let authority: TestAuthority;

beforeAll(async () => {
  authority = await TestAuthority.create();
});

afterAll(async () => {
  await authority.remove();
});

const SECRET = '1:a secret for tests only of 32 characters';
const environment = {
  DATABASE_URL: 'postgres://localhost/penstock',
  PENSTOCK_ADMIN_KEYS: SECRET,
  PENSTOCK_SECRETS: SECRET,
};

test('the worker presents a new certificate when it reconnects', async () => {
  const [service, first, second] = [
    await authority.issue('service'),
    await authority.issue('worker-1'),
    await authority.issue('worker-2'),
  ];
  const own = { certFile: join(authority.folder, 'own.pem'), keyFile: join(authority.folder, 'own-key.pem') };
  const install = async ({ certFile, keyFile }: Certificate): Promise<void> => {
    await copyFile(certFile, own.certFile);
    await copyFile(keyFile, own.keyFile);
  };
  const server = createSecureServer({
    cert: await readFile(service.certFile),
    key: await readFile(service.keyFile),
    ca: await readFile(authority.certFile),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const names: string[] = [];
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    if (session.socket instanceof TLSSocket) {
      names.push(String(session.socket.getPeerCertificate().subject.CN));
    }
  });
  // An empty message is a valid view.
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/proto' });
    stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await install(first);
  const { metadata } = readSettings({
    ...environment,
    PENSTOCK_METADATA_ADMIN_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PENSTOCK_METADATA_ADMIN_CA: authority.certFile,
    PENSTOCK_METADATA_ADMIN_CLIENT_CERT: own.certFile,
    PENSTOCK_METADATA_ADMIN_CLIENT_KEY: own.keyFile,
  });
  const admin = createMetadataAdmin(metadata ?? { urls: [], keys: [{ id: 1, secret: '' }] });
  try {
    await admin.getClusterView(newId());
    await install(second);
    await admin.getClusterView(newId());
    for (const session of sessions) {
      session.close();
    }
    // A call that was sent on the closing connection fails.
    const viewed = () =>
      admin.getClusterView(newId()).then(
        () => names.length,
        () => 0,
      );
    await expect.poll(viewed).toBe(2);
    expect(names).toEqual(['worker-1', 'worker-2']);
  } finally {
    admin.close();
    server.close();
  }
});

test('a certificate without its key is refused at the start', () => {
  const half = {
    ...environment,
    PENSTOCK_METADATA_ADMIN_URL: 'https://metadata:7072',
    PENSTOCK_METADATA_ADMIN_CLIENT_CERT: '/etc/tls/cert.pem',
  };
  expect(() => readSettings(half)).toThrow(AppError);
});
