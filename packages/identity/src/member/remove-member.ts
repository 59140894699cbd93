// Ends another user's membership. From their next request they cannot see the organization, and single sign-on does not
// let them in again until they are invited.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import {
  deleteMembership,
  findActingMember,
  findMember,
  lockMembers,
  requireAnotherOwner,
  requireReach,
} from './member.ts';
import { rememberRemoval } from './removed-member.ts';

/** @throws AppError `member_not_found`, `role_out_of_reach`, `last_owner`, `member_is_self` */
export async function removeMember(scope: Scope, input: { userId: string }): Promise<void> {
  await lockMembers(scope);
  const acting = await findActingMember(scope);
  const member = await findMember(scope, input.userId);
  if (member.userId === acting.userId) {
    throw new AppError({
      kind: 'refused',
      code: 'member_is_self',
      message: 'You can’t remove yourself.',
      remedy: 'Leave the organization instead.',
    });
  }
  requireReach(acting, member.role);
  if (member.role === 'owner') {
    await requireAnotherOwner(scope, member);
  }
  await deleteMembership(scope, member.userId);
  await rememberRemoval(scope, member.userId);
  await recordAudit(scope, {
    action: 'member.remove',
    targetType: 'member',
    targetId: member.userId,
    before: { email: member.email, role: member.role },
  });
}
