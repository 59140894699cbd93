import { expect, test } from 'vitest';
import { signAdminToken, verifyAdminToken } from './admin-token.ts';
import type { RootSecrets } from './root-secrets.ts';

const old: RootSecrets = [{ id: 1, secret: 'the first secret, of more than 32 characters' }];
const both: RootSecrets = [{ id: 2, secret: 'the second secret, of more than 32 characters' }, ...old];
const NOW_MS = 1_790_000_000_000;
const call = { method: 'GetClusterView', clusterId: '0199c0de-0000-7000-8000-000000000001' };
const token = signAdminToken(old, call, NOW_MS);

async function isGood(given: string, { keys = old, method = call.method, nowMs = NOW_MS } = {}): Promise<boolean> {
  return (await verifyAdminToken(keys, given, method, nowMs)).ok;
}

test('a token is valid for its method and names its cluster', async () => {
  expect(await verifyAdminToken(old, token, call.method, NOW_MS)).toEqual({ ok: true, clusterId: call.clusterId });
  expect(await isGood(token, { method: 'AdminDeleteTopics' })).toBe(false);
});

test('a token lasts a minute, plus 30 seconds for clock drift', async () => {
  expect(await isGood(token, { nowMs: NOW_MS + 89_000 })).toBe(true);
  expect(await isGood(token, { nowMs: NOW_MS + 91_000 })).toBe(false);
  expect(await isGood(token, { nowMs: NOW_MS - 30_000 })).toBe(true);
  expect(await isGood(token, { nowMs: NOW_MS - 31_000 })).toBe(false);
});

// Add the new one, sign with it, remove the old one.
test('keys are replaced without refusing a call', async () => {
  const added: RootSecrets = [...old, both[0]];
  for (const [signer, verifiers] of [
    [old, [old, added]],
    [added, [old, added, both]],
    [both, [added, both, [both[0]]]],
  ] as const) {
    for (const keys of verifiers) {
      expect(await isGood(signAdminToken(signer, call, NOW_MS), { keys })).toBe(true);
    }
  }
  expect(await isGood(token, { keys: [both[0]] })).toBe(false);
});

test('a changed, unsigned or foreign token is refused', async () => {
  const [head = '', body = '', signature = ''] = token.split('.');
  const other = signAdminToken(old, { ...call, clusterId: 'other' }, NOW_MS).split('.')[1];
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: '1' })).toString('base64url');
  const foreign: RootSecrets = [{ id: 1, secret: 'another secret that has more than 32 characters' }];
  for (const wrong of [
    '',
    'a.b.c',
    `${head}.${body}`,
    `${head}.${body}.`,
    `${head}.${other}.${signature}`,
    `${none}.${body}.`,
    `${token}.x`,
    signAdminToken(foreign, call, NOW_MS),
    'x'.repeat(10_000),
  ]) {
    expect(await isGood(wrong), wrong.slice(0, 80)).toBe(false);
  }
});
