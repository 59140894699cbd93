import { expect, test } from 'vitest';
import {
  clusterRoleNames,
  type Grant,
  isClusterPermission,
  isGranted,
  parseClusterRoles,
  seesCluster,
} from './cluster-roles.ts';
import { isAllowed, permissions, roles } from './permissions.ts';

const OWN = '0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f';
const OTHER = '0199e0f3-1b2c-7d3e-8f40-516273849506';

test('a role for a cluster applies to that cluster alone', () => {
  for (const role of clusterRoleNames) {
    const grant: Grant = { role: 'none', clusterRoles: { [OWN]: role } };
    for (const permission of permissions) {
      const elsewhere = isAllowed('none', permission);
      expect(isGranted(grant, permission, OTHER), `${role} ${permission}`).toBe(elsewhere);
      expect(isGranted(grant, permission, null), `${role} ${permission}`).toBe(elsewhere);
      const here = elsewhere || (isClusterPermission(permission) && isAllowed(role, permission));
      expect(isGranted(grant, permission, OWN), `${role} ${permission}`).toBe(here);
    }
  }
});

test('a cluster role takes nothing from the organization’s role', () => {
  for (const role of roles) {
    for (const permission of permissions.filter((held) => isAllowed(role, held))) {
      expect(isGranted({ role, clusterRoles: { [OWN]: 'viewer' } }, permission, OWN)).toBe(true);
    }
  }
});

// Money, members, API keys and the audit log.
test('no cluster role opens the organization’s own affairs', () => {
  const grant: Grant = { role: 'none', clusterRoles: { [OWN]: 'admin' } };
  const held = permissions.filter((permission) => isGranted(grant, permission, OWN));
  expect(held.filter((permission) => /^(billing|member|owner|sso|api-key|audit)/.test(permission))).toEqual([]);
});

test('matches ids in any case and no built-in property names', () => {
  const grant: Grant = { role: 'none', clusterRoles: { [OWN]: 'viewer' } };
  expect(seesCluster(grant, OWN.toUpperCase())).toBe(true);
  expect(seesCluster(grant, 'constructor')).toBe(false);
  expect(seesCluster(grant, '__proto__')).toBe(false);
});

test('an unknown stored role is an error, not an access', () => {
  expect(parseClusterRoles({ [OWN]: 'operator' })).toEqual({ [OWN]: 'operator' });
  expect(() => parseClusterRoles({ [OWN]: 'owner' })).toThrow('unknown role');
});
