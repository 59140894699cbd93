// Changes a member's role. It applies from their next request.
import { type Role, recordAudit, type Scope } from '@penstock/tenancy';
import { limitKeysOfMaker } from '../api-key/limit-keys-of-maker.ts';
import {
  findActingMember,
  findMember,
  lockMembers,
  type Member,
  requireAnotherOwner,
  requireReach,
  revokeInvitationsBeyondReach,
} from './member.ts';

/** @throws AppError `member_not_found`, `role_out_of_reach`, `last_owner` */
export async function changeMemberRole(scope: Scope, input: { userId: string; role: Role }): Promise<Member> {
  await lockMembers(scope);
  const acting = await findActingMember(scope);
  const before = await findMember(scope, input.userId);
  requireReach(acting, before.role);
  requireReach(acting, input.role);
  if (before.role === input.role) {
    return before;
  }
  if (before.role === 'owner') {
    await requireAnotherOwner(scope, before);
  }
  await setMemberRole(scope, before, input.role);
  return { ...before, role: input.role };
}

/**
 * Writes the role and its audit row, and limits the member’s API keys. The caller has checked that the change is allowed.
 * @param because why it changed, for the audit row
 */
export async function setMemberRole(
  scope: Scope,
  before: Member,
  role: Role,
  because: { group?: string } = {},
): Promise<void> {
  await scope.tx.member.update({
    where: { organizationId_userId: { organizationId: scope.organizationId, userId: before.userId } },
    data: { role },
  });
  await revokeInvitationsBeyondReach(scope, before.userId, role);
  await recordAudit(scope, {
    action: 'member.change-role',
    targetType: 'member',
    targetId: before.userId,
    before: { email: before.email, role: before.role },
    after: { email: before.email, role, ...because },
  });
  await limitKeysOfMaker(scope, before, role);
}
