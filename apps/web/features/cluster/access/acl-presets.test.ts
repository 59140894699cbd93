import { expect, test } from 'vitest';
import { type PresetFields, presetAcls } from './acl-presets';

const fields: PresetFields = { preset: 'producer', user: 'app', name: 'orders', isPrefix: false, group: 'readers' };

function inWords(changes: Partial<PresetFields>): string[] {
  return presetAcls({ ...fields, ...changes }).map(
    ({ principal, operation, resourceType, patternType, resourceName }) =>
      `${principal} ${operation} ${resourceType} ${patternType} ${resourceName}`,
  );
}

test('a producer may write and create its topic', () => {
  expect(inWords({})).toEqual([
    'User:app WRITE TOPIC LITERAL orders',
    'User:app DESCRIBE TOPIC LITERAL orders',
    'User:app CREATE TOPIC LITERAL orders',
  ]);
});

test('a consumer may read topics with its group', () => {
  expect(inWords({ preset: 'consumer', isPrefix: true })).toEqual([
    'User:app READ TOPIC PREFIXED orders',
    'User:app DESCRIBE TOPIC PREFIXED orders',
    'User:app READ GROUP LITERAL readers',
  ]);
});

test.each(['connect', 'streams'] as const)('%s may manage only topics and groups with its prefix', (preset) => {
  const acls = presetAcls({ ...fields, preset, name: 'app-' });
  expect(acls.every(({ resourceName, patternType }) => resourceName === 'app-' && patternType === 'PREFIXED')).toBe(
    true,
  );
  expect(new Set(acls.map(({ resourceType }) => resourceType))).toContain('GROUP');
  expect(acls.every(({ permission }) => permission === 'ALLOW')).toBe(true);
});
