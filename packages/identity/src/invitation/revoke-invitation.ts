// Revokes an open invitation: its link stops working.
import { notFound } from '@penstock/platform';
import { parseRole, recordAudit, type Scope } from '@penstock/tenancy';
import { findActingMember, lockMembers, requireReach } from '../member/member.ts';

/** @throws AppError `invitation_not_found`, `role_out_of_reach` */
export async function revokeInvitation(scope: Scope, input: { invitationId: string }): Promise<void> {
  await lockMembers(scope);
  const acting = await findActingMember(scope);
  const invitation = await scope.tx.invitation.findFirst({
    where: { id: input.invitationId, organizationId: scope.organizationId, status: 'pending' },
    select: { id: true, email: true, role: true },
  });
  if (invitation === null) {
    throw notFound('invitation');
  }
  const role = parseRole(invitation.role ?? '');
  requireReach(acting, role);
  await scope.tx.invitation.update({
    where: { id: invitation.id, organizationId: scope.organizationId },
    data: { status: 'revoked', closedAt: scope.now, tokenHash: null },
  });
  await recordAudit(scope, {
    action: 'invitation.revoke',
    targetType: 'invitation',
    targetId: invitation.id,
    before: { email: invitation.email, role },
  });
}
