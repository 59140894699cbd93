import { refusalOf } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { changedRole, type RoleRules, roleByGroups } from './group-roles.ts';

const rules: RoleRules = {
  defaultRole: 'viewer',
  groupRoles: [
    { group: 'platform', role: 'admin' },
    { group: 'finance', role: 'billing' },
  ],
  isGroupRequired: false,
};
const required = { ...rules, isGroupRequired: true };
const none = { ...required, groupRoles: [] };

test.each([
  ['the first group in the list decides', rules, ['finance', 'platform'], { role: 'admin', group: 'platform' }],
  ['in no mapped group, the default role', rules, ['sales'], { role: 'viewer', group: null }],
  ['group names are case-sensitive', rules, ['Platform'], { role: 'viewer', group: null }],
  ['without a mapping, groups don’t matter', none, null, { role: 'viewer', group: null }],
])('%s', (_what, given, groups, granted) => {
  expect(roleByGroups(given, groups)).toEqual(granted);
});

// Always if the groups are unknown.
test('refuses people without a mapped group if required', async () => {
  expect(await refusalOf((async () => roleByGroups(required, ['sales']))())).toBe('sso_group_missing');
  expect(await refusalOf((async () => roleByGroups(rules, null))())).toBe('sso_groups_left_out');
});

describe('a sign-in', () => {
  test('changes the role of members but never ownership', () => {
    expect(changedRole(rules, 'viewer', { role: 'admin', group: 'platform' })).toBe('admin');
    expect(changedRole(rules, 'admin', { role: 'viewer', group: null })).toBe('viewer');
    expect(changedRole(rules, 'owner', { role: 'viewer', group: null })).toBeNull();
    expect(changedRole(rules, 'admin', { role: 'admin', group: 'platform' })).toBeNull();
  });

  test('leaves roles alone where groups decide nothing', () => {
    expect(changedRole(none, 'admin', { role: 'viewer', group: null })).toBeNull();
  });
});
