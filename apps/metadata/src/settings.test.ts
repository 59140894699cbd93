import { MERGE_POLICY, NEWEST_RULES } from '@penstock/metadata-core';
import { AppError } from '@penstock/platform';
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const KEYS = '1:a secret for tests only of 32 characters';
const needed = {
  DATABASE_URL: 'postgres://localhost/penstock',
  PENSTOCK_ADMIN_KEYS: KEYS,
  PENSTOCK_BROWSE_KEYS: KEYS,
  PENSTOCK_PEER_KEYS: KEYS,
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
