import { expect, test } from 'vitest';
import { keysOfMaker } from './keys-of-maker.ts';

const NOW_MS = Date.parse('2026-11-23T10:00:00Z');
const key = (id: string, createdBy: string | null, ended: 'revoked' | 'expired' | null = null) => ({
  id,
  name: `name of ${id}`,
  createdBy,
  revokedAt: ended === 'revoked' ? new Date(NOW_MS) : null,
  expiresAt: ended === 'expired' ? new Date(NOW_MS) : new Date(NOW_MS + 1),
});

test('lists active keys that a person or their keys created', () => {
  const keys = [
    key('grandchild', 'child'),
    key('child', 'own'),
    key('own', 'ada'),
    key('other', 'lin'),
    key('unknown', null),
    key('gone', 'ada', 'revoked'),
    key('over', 'ada', 'expired'),
  ];
  expect(keysOfMaker(keys, 'ada', NOW_MS)).toEqual(['name of grandchild', 'name of child', 'name of own']);
  expect(keysOfMaker(keys, 'nobody', NOW_MS)).toEqual([]);
});
