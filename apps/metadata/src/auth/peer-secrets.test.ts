import type { RootSecrets } from '@penstock/platform';
import { expect, test } from 'vitest';
import { PEER_SECRET_PERIOD_MS, peerSecretsOf } from './peer-secrets.ts';

const TOKEN: RootSecrets = [{ id: 1, secret: 'a secret of more than thirty-two characters' }];
const OTHER: RootSecrets = [{ id: 2, secret: 'another secret of more than thirty-two characters' }];
const NOW_MS = 1_790_000_000_000;

const hex = (secret: Uint8Array): string => Buffer.from(secret).toString('hex');

// Each cluster and token has its own.
test('every process derives the same distinct secrets', () => {
  expect(peerSecretsOf(TOKEN, 'a', NOW_MS)).toEqual(peerSecretsOf(TOKEN, 'a', NOW_MS));
  const named = [
    ...peerSecretsOf(TOKEN, 'a', NOW_MS),
    ...peerSecretsOf(TOKEN, 'b', NOW_MS),
    ...peerSecretsOf(OTHER, 'a', NOW_MS),
  ];
  expect(new Set(named.map(({ secret }) => hex(secret))).size).toBe(9);
  expect(named.every(({ secret }) => secret.length === 32)).toBe(true);
});

test('agents one period off accept the current signing secret', () => {
  for (const nowMs of [NOW_MS, NOW_MS + PEER_SECRET_PERIOD_MS]) {
    const signs = peerSecretsOf(TOKEN, 'a', nowMs).filter((secret) => secret.signs);
    expect(signs).toHaveLength(1);
    for (const otherMs of [nowMs - PEER_SECRET_PERIOD_MS, nowMs, nowMs + PEER_SECRET_PERIOD_MS]) {
      const accepted = peerSecretsOf(TOKEN, 'a', otherMs);
      expect(accepted).toContainEqual({ ...signs[0], signs: otherMs === nowMs });
    }
  }
});

test('a peer secret expires after three periods', () => {
  const announced = peerSecretsOf(TOKEN, 'a', NOW_MS).map(({ id }) => id);
  const accepted = peerSecretsOf(TOKEN, 'a', NOW_MS + 3 * PEER_SECRET_PERIOD_MS).map(({ id }) => id);
  expect(accepted.filter((id) => announced.includes(id))).toEqual([]);
});

test('either root secret is accepted during a replacement', () => {
  const before = peerSecretsOf([TOKEN[0], OTHER[0]], 'a', NOW_MS);
  const after = peerSecretsOf([OTHER[0], TOKEN[0]], 'a', NOW_MS);
  const ids = (secrets: typeof before) => secrets.map(({ id, secret }) => `${id} ${hex(secret)}`).toSorted();
  expect(ids(before)).toEqual(ids(after));
  expect(new Set(before.map(({ id }) => id)).size).toBe(6);
  expect(before.filter(({ signs }) => signs).map(({ id }) => id)).not.toEqual(
    after.filter(({ signs }) => signs).map(({ id }) => id),
  );
});
