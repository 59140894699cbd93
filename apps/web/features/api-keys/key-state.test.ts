import { expect, it } from 'vitest';
import { keyState } from './key-state.ts';

const now = Date.UTC(2026, 10, 21);
const key = { revokedAt: null, expiresAt: null, replacedById: null };

it.each([
  [key, 'active'],
  [{ ...key, expiresAt: new Date(now + 1) }, 'active'],
  [{ ...key, expiresAt: new Date(now) }, 'expired'],
  [{ ...key, expiresAt: new Date(now + 1), replacedById: 'other' }, 'replaced'],
  [{ ...key, expiresAt: new Date(now), replacedById: 'other' }, 'expired'],
  [{ ...key, expiresAt: new Date(now + 1), revokedAt: new Date(now) }, 'revoked'],
] as const)('%j is %s', (times, state) => {
  expect(keyState(times, now)).toBe(state);
});
