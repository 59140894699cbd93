// Ends the caller's own membership.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { deleteMembership, findActingMember, lockMembers, requireAnotherOwner } from './member.ts';

/** @throws AppError `last_owner` */
export async function leaveOrganization(scope: Scope): Promise<void> {
  await lockMembers(scope);
  const member = await findActingMember(scope);
  if (member.role === 'owner') {
    await requireAnotherOwner(scope, member);
  }
  await deleteMembership(scope, member.userId);
  await recordAudit(scope, {
    action: 'member.leave',
    targetType: 'member',
    targetId: member.userId,
    before: { email: member.email, role: member.role },
  });
}
