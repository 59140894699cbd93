import { MERGE_POLICY, NEWEST_RULES } from '@penstock/metadata-core';
import { AppError } from '@penstock/platform';
import { describe, expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const KEYS = '1:a secret for tests only of 32 characters';
const needed = {
  DATABASE_URL: 'postgres://localhost/penstock',
  PENSTOCK_ADMIN_KEYS: KEYS,
  PENSTOCK_BROWSE_KEYS: KEYS,
  PENSTOCK_PEER_KEYS: KEYS,
  PENSTOCK_METADATA_HOST: '127.0.0.1',
};

function windowMs(text?: string): number {
  return readSettings({ ...needed, ...(text === undefined ? {} : { PENSTOCK_METADATA_MERGE_WINDOW_MS: text }) })
    .mergeWindowMs;
}

test('the merge window defaults to that of the policy', () => {
  expect(windowMs()).toBe(MERGE_POLICY.windowMs);
  expect(windowMs('30000')).toBe(30_000);
});

test('an invalid merge window is refused', () => {
  for (const text of ['0', '-1', 'an hour', '86400001']) {
    expect(() => windowMs(text)).toThrow(AppError);
  }
});

test('the control plane’s port stays on loopback by default', () => {
  const listen = (text?: string) =>
    readSettings({ ...needed, ...(text === undefined ? {} : { PENSTOCK_METADATA_ADMIN_LISTEN: text }) }).adminListen;
  expect(listen()).toEqual({ host: '127.0.0.1', port: 7072 });
  expect(listen('[::1]:8000')).toEqual({ host: '::1', port: 8000 });
  for (const wrong of ['7072', ':7072', '10.0.0.1:70000']) {
    expect(() => listen(wrong)).toThrow(AppError);
  }
});

test('clusters get the newest rules level by default', () => {
  expect(readSettings(needed).raiseRulesTo).toBe(NEWEST_RULES);
  for (const text of [String(NEWEST_RULES + 1), '0', 'newest']) {
    expect(() => readSettings({ ...needed, PENSTOCK_METADATA_RULES: text })).toThrow(AppError);
  }
});

// Other processes would send its callers to their own machine.
describe('a port that other machines reach', () => {
  const [agents, admin] = ['PENSTOCK_METADATA_ADVERTISED_URL', 'PENSTOCK_METADATA_ADMIN_ADVERTISED_URL'];
  const read = (variables: Record<string, string | undefined>) => () => readSettings({ ...needed, ...variables });

  test.each([undefined, '0.0.0.0', '10.0.3.7', 'm1.example.com'])('needs an advertised URL (%s)', (host) => {
    expect(read({ PENSTOCK_METADATA_HOST: host })).toThrow(agents);
    expect(read({ PENSTOCK_METADATA_HOST: host, [agents]: 'http://m1:7070' })().advertisedUrl).toBe('http://m1:7070');
  });

  test.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('is not one on %s', (host) => {
    expect(read({ PENSTOCK_METADATA_HOST: host })().advertisedUrl).toBeUndefined();
  });

  test('needs one for the control plane, too', () => {
    const listen = { PENSTOCK_METADATA_ADMIN_LISTEN: '10.0.3.7:7072' };
    expect(read(listen)).toThrow(admin);
    expect(read({ ...listen, [admin]: 'http://10.0.3.7:7072' })().adminAdvertisedUrl).toBe('http://10.0.3.7:7072');
  });

  test('with a certificate is advertised as https', () => {
    const tls = { PENSTOCK_METADATA_TLS_CERT: '/cert.pem', PENSTOCK_METADATA_TLS_KEY: '/key.pem' };
    expect(read({ ...tls, [agents]: 'http://m1:7070' })).toThrow('https');
    expect(read({ ...tls, [agents]: 'https://m1:7070' })().tls).toEqual({ certFile: '/cert.pem', keyFile: '/key.pem' });
    for (const variable of Object.keys(tls)) {
      expect(read({ [variable]: '/file.pem' })).toThrow('PENSTOCK_METADATA_TLS_CERT and PENSTOCK_METADATA_TLS_KEY');
    }
  });

  test('behind a proxy with TLS is advertised by the proxy’s URL', () => {
    expect(read({ [agents]: 'https://m1.example.com' })().tls).toBeUndefined();
  });
});

// A forgotten file does not leave the port in the clear.
test('TLS of the control plane’s port is all or nothing', () => {
  const tls = (variables: Record<string, string>) => readSettings({ ...needed, ...variables }).adminTls;
  const [certificate, key] = [
    { PENSTOCK_METADATA_ADMIN_TLS_CERT: '/etc/tls/cert.pem' },
    { PENSTOCK_METADATA_ADMIN_TLS_KEY: '/etc/tls/key.pem' },
  ];
  const authority = { PENSTOCK_METADATA_ADMIN_TLS_CLIENT_CA: '/etc/tls/ca.pem' };
  expect(tls({})).toBe(undefined);
  expect(tls({ ...certificate, ...key })).toEqual({
    certFile: '/etc/tls/cert.pem',
    keyFile: '/etc/tls/key.pem',
    clientCaFile: undefined,
  });
  expect(tls({ ...certificate, ...key, ...authority })?.clientCaFile).toBe('/etc/tls/ca.pem');
  for (const partly of [certificate, key, authority, { ...certificate, ...authority }]) {
    expect(() => tls(partly)).toThrow(AppError);
  }
});
