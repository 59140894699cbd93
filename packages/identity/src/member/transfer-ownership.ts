// Makes another member the owner and the caller an admin, in one transaction.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { setMemberRole } from './change-member-role.ts';
import { findActingMember, findMember, lockMembers, requireReach } from './member.ts';

/** @throws AppError `member_not_found`, `role_out_of_reach`, `member_is_self` */
export async function transferOwnership(scope: Scope, input: { userId: string }): Promise<void> {
  await lockMembers(scope);
  const acting = await findActingMember(scope);
  requireReach(acting, 'owner');
  const heir = await findMember(scope, input.userId);
  if (heir.userId === acting.userId) {
    throw new AppError({
      kind: 'refused',
      code: 'member_is_self',
      message: 'You already own this organization.',
      remedy: 'Choose another member.',
    });
  }
  if (heir.role !== 'owner') {
    await setMemberRole(scope, heir, 'owner');
  }
  await setMemberRole(scope, acting, 'admin');
  await recordAudit(scope, {
    action: 'organization.transfer-ownership',
    targetType: 'organization',
    targetId: scope.organizationId,
    before: { owner: acting.email },
    after: { owner: heir.email },
  });
}
