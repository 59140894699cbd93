import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aclKey, quotaKey } from './list-keys.ts';

const name = fc.string({ maxLength: 1_024, size: 'max' });
const anAcl = fc.record({
  resourceType: fc.integer({ min: 2, max: 7 }),
  resourceName: name,
  patternType: fc.constantFrom(3, 4),
  principal: name,
  host: fc.string({ maxLength: 255 }),
  operation: fc.integer({ min: 2, max: 12 }),
  permissionType: fc.constantFrom(2, 3),
});

test('two different ACLs have different short keys', () => {
  fc.assert(
    fc.property(anAcl, anAcl, (one, other) => {
      expect(aclKey(one) === aclKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      expect(aclKey(one).length).toBeLessThan(250);
    }),
  );
});

test('ACLs with long names have different keys by any field', () => {
  const acl = {
    resourceType: 2,
    resourceName: 'x'.repeat(1_024),
    patternType: 3,
    principal: 'User:a',
    host: '*',
    operation: 3,
    permissionType: 3,
  };
  const changed = [acl, { ...acl, operation: 4 }, { ...acl, principal: 'User:b' }, { ...acl, permissionType: 2 }];
  expect(new Set(changed.map(aclKey)).size).toBe(4);
});

test('a quota of the default user is another than one of no user', () => {
  const keys = [{}, { user: '' }, { clientId: '' }, { user: '', clientId: '' }, { user: 'a' }].map((quota) =>
    quotaKey(quota),
  );
  expect(new Set(keys).size).toBe(5);
});
