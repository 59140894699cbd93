import { expect, test } from 'vitest';
import { isAllowed, isRoleWithin, type Permission, permissions, roles } from './permissions.ts';

/** Written out by hand, so that a change to the rules shows up here. */
const table: Record<Permission, string> = {
  //                    owner admin operator billing viewer
  'organization:read': 'yes   yes   yes      yes     yes',
  'organization:export': 'yes   no    no       no      no',
  'organization:delete': 'yes   no    no       no      no',
  'member:read': 'yes   yes   yes      yes     yes',
  'member:write': 'yes   yes   no       no      no',
  'owner:write': 'yes   no    no       no      no',
  'sso:write': 'yes   no    no       no      no',
  'cluster:read': 'yes   yes   yes      yes     yes',
  'cluster:write': 'yes   yes   no       no      no',
  'cluster:delete': 'yes   yes   no       no      no',
  'agent-key:read': 'yes   yes   yes      no      yes',
  'agent-key:write': 'yes   yes   no       no      no',
  'api-key:read': 'yes   yes   no       no      no',
  'api-key:write': 'yes   yes   no       no      no',
  'topic:write': 'yes   yes   yes      no      no',
  'silence:write': 'yes   yes   yes      no      no',
  'record:read': 'yes   yes   no       no      no',
  'access:read': 'yes   yes   yes      no      no',
  'access:write': 'yes   yes   no       no      no',
  'usage:read': 'yes   yes   yes      yes     yes',
  'billing:read': 'yes   yes   no       yes     no',
  'billing:write': 'yes   yes   no       yes     no',
  'audit:read': 'yes   yes   no       yes     no',
};

test.each(permissions)('exactly these roles hold %s', (permission) => {
  const allowed = roles.map((role) => (isAllowed(role, permission) ? 'yes' : 'no'));
  expect(allowed).toEqual(table[permission].split(/\s+/));
});

test('a role is within another if it allows nothing more', () => {
  const within = roles.flatMap((role) =>
    roles.filter((other) => isRoleWithin(role, other)).map((o) => `${role}<=${o}`),
  );
  for (const role of roles) {
    expect(within).toContain(`${role}<=${role}`);
    expect(within).toContain(`${role}<=owner`);
  }
  expect(isRoleWithin('owner', 'admin')).toBe(false);
  // Viewers see agent keys, and billing sees invoices.
  expect([isRoleWithin('billing', 'viewer'), isRoleWithin('viewer', 'billing')]).toEqual([false, false]);
});
