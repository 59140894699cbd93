import { roles } from '@penstock/tenancy';
import { refusalOf, setUpControlPlane, type TestOrganization } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { inviteMember } from '../invitation/invite-member.ts';
import { listInvitations } from '../invitation/list-invitations.ts';
import { listMembers } from '../organization/list-members.ts';
import { changeMemberRole } from './change-member-role.ts';
import { leaveOrganization } from './leave-organization.ts';
import { removeMember } from './remove-member.ts';
import { transferOwnership } from './transfer-ownership.ts';

const plane = setUpControlPlane();

async function rolesOf(tenant: TestOrganization): Promise<Map<string, string>> {
  return new Map((await tenant.run(listMembers)).map(({ userId, role }) => [userId, role]));
}

describe('an organization always has an owner', () => {
  test('the last owner cannot leave, be demoted or be removed', async () => {
    const owner = await plane.newTenant();
    const { userId } = owner;
    expect(await refusalOf(owner.run(leaveOrganization))).toBe('last_owner');
    expect(await refusalOf(owner.run((scope) => changeMemberRole(scope, { userId, role: 'admin' })))).toBe(
      'last_owner',
    );
    expect(await refusalOf(owner.run((scope) => removeMember(scope, { userId })))).toBe('member_is_self');
  });

  test('one owner stays if two leave concurrently', async () => {
    const first = await plane.newTenant();
    const second = await plane.newMember(first, 'owner');
    const left = await Promise.allSettled([first.run(leaveOrganization), second.run(leaveOrganization)]);
    expect(left.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([...(await rolesOf(first)).values()]).toEqual(['owner']);
  });

  test('a transfer moves ownership in one step', async () => {
    const owner = await plane.newTenant();
    const heir = await plane.newMember(owner, 'viewer');
    await owner.run((scope) => transferOwnership(scope, { userId: heir.userId }));
    expect(await rolesOf(owner)).toEqual(
      new Map([
        [owner.userId, 'admin'],
        [heir.userId, 'owner'],
      ]),
    );
    expect(await refusalOf(owner.run((scope) => transferOwnership(scope, { userId: owner.userId })))).toBe(
      'role_out_of_reach',
    );
  });
});

describe('the right to change members', () => {
  test.each(['operator', 'billing', 'viewer'] as const)(
    'a %s changes nobody, even when bypassing the API',
    async (role) => {
      const owner = await plane.newTenant();
      const member = await plane.newMember(owner, role);
      const other = await plane.newMember(owner, 'viewer');
      const attempts = [
        member.run((scope) => changeMemberRole(scope, { userId: member.userId, role: 'admin' })),
        member.run((scope) => removeMember(scope, { userId: other.userId })),
        member.run((scope) => transferOwnership(scope, { userId: other.userId })),
      ];
      expect(await Promise.all(attempts.map(refusalOf))).toEqual(attempts.map(() => 'role_out_of_reach'));
    },
  );

  test('an admin cannot appoint or remove owners', async () => {
    const owner = await plane.newTenant();
    const admin = await plane.newMember(owner, 'admin');
    const attempts = [
      admin.run((scope) => changeMemberRole(scope, { userId: admin.userId, role: 'owner' })),
      admin.run((scope) => changeMemberRole(scope, { userId: owner.userId, role: 'viewer' })),
      admin.run((scope) => removeMember(scope, { userId: owner.userId })),
    ];
    expect(await Promise.all(attempts.map(refusalOf))).toEqual(attempts.map(() => 'role_out_of_reach'));
  });

  test.each(roles)('a user of another organization is not found (%s)', async (role) => {
    const owner = await plane.newTenant();
    const { userId } = await plane.newTenant();
    expect(await refusalOf(owner.run((scope) => changeMemberRole(scope, { userId, role })))).toBe('member_not_found');
    expect(await refusalOf(owner.run((scope) => removeMember(scope, { userId })))).toBe('member_not_found');
  });

  test('a role removed at the same moment no longer counts', async () => {
    const owner = await plane.newTenant();
    const admin = await plane.newMember(owner, 'admin');
    const other = await plane.newMember(owner, 'viewer');
    await owner.run((scope) => changeMemberRole(scope, { userId: admin.userId, role: 'viewer' }));
    // The procedure let the admin in earlier; the use-case checks again.
    expect(await refusalOf(admin.run((scope) => removeMember(scope, { userId: other.userId })))).toBe(
      'role_out_of_reach',
    );
  });
});

describe('the effects of a membership', () => {
  test('open invitations of a removed member stop working', async () => {
    const owner = await plane.newTenant();
    const admin = await plane.newMember(owner, 'admin');
    await admin.run((scope) =>
      inviteMember(scope, 'http://localhost', { email: 'accomplice@example.com', role: 'admin' }),
    );
    await owner.run((scope) => removeMember(scope, { userId: admin.userId }));
    expect(await owner.run(listInvitations)).toEqual([]);
  });

  test('every change writes its audit row, with both roles', async () => {
    const owner = await plane.newTenant();
    const member = await plane.newMember(owner, 'viewer');
    await owner.run((scope) => changeMemberRole(scope, { userId: member.userId, role: 'billing' }));
    await owner.run((scope) => removeMember(scope, { userId: member.userId }));
    expect((await plane.auditOf(owner)).slice(1)).toEqual([
      {
        action: 'member.change-role',
        targetId: member.userId,
        before: { email: member.email, role: 'viewer' },
        after: { email: member.email, role: 'billing' },
      },
      {
        action: 'member.remove',
        targetId: member.userId,
        before: { email: member.email, role: 'billing' },
        after: null,
      },
    ]);
  });
});
