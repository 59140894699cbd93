// Makes the invited user a member. Works once, before it expires, and only for the invited address.
import type { Transaction } from '@penstock/database/client';
import { AppError, newId } from '@penstock/platform';
import { type Actor, parseClusterRoles, parseRole, recordAudit } from '@penstock/tenancy';
import { forgetRemoval } from '../member/removed-member.ts';
import { requireRoomForMembership } from '../organization/membership-limit.ts';
import { hashInvitationToken, invitationNotUsable, needsLink, recordedRoles } from './invitation.ts';

/** By the token in the mail's link, or by id from the user's list of open invitations, up to the role viewer. */
export type InvitationReference = { token: string } | { invitationId: string };

/**
 * @returns the organization that the user has joined
 * @throws AppError `invitation_not_usable`, `invitation_for_another_address`, `invitation_needs_link`,
 *   `organization_limit`
 */
export async function acceptInvitation(
  context: { tx: Transaction; actor: Actor; now: Date },
  input: { userId: string; reference: InvitationReference },
): Promise<{ organizationId: string }> {
  const { tx, now } = context;
  const { reference } = input;
  const user = await tx.user.findUniqueOrThrow({
    where: { id: input.userId },
    select: { email: true },
  });
  const found = await tx.invitation.findFirst({
    where: 'token' in reference ? { tokenHash: hashInvitationToken(reference.token) } : { id: reference.invitationId },
    select: { id: true, organizationId: true },
  });
  if (found === null) {
    throw invitationNotUsable();
  }
  // Takes the lock that all membership changes take: of two concurrent acceptances, the second finds the invitation
  // used.
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${found.organizationId} FOR UPDATE`;
  const invitation = await tx.invitation.findFirst({
    where: { id: found.id, status: 'pending', expiresAt: { gt: now } },
    select: { id: true, organizationId: true, email: true, role: true, clusterRoles: true },
  });
  const isForThem = invitation !== null && user.email.toLowerCase() === invitation.email;
  // The holder of the link knows that the invitation exists. Someone with only an id must learn nothing.
  if (invitation === null || (!isForThem && !('token' in reference))) {
    throw invitationNotUsable();
  }
  if (!isForThem) {
    throw new AppError({
      kind: 'forbidden',
      code: 'invitation_for_another_address',
      message: `This invitation is for ${invitation.email}, but you’re signed in as ${user.email}.`,
      remedy: `Sign out, then sign in or sign up as ${invitation.email}.`,
    });
  }
  if (!('token' in reference) && needsLink(invitation)) {
    throw new AppError({
      kind: 'forbidden',
      code: 'invitation_needs_link',
      message: 'This invitation can only be accepted with the link in its email.',
      remedy: 'Open the link in the email, or ask the person who invited you to send a new one.',
    });
  }
  const { organizationId } = invitation;
  const role = parseRole(invitation.role ?? '');
  const clusterRoles = parseClusterRoles(invitation.clusterRoles);
  const member = await tx.member.findUnique({
    where: { organizationId_userId: { organizationId, userId: input.userId } },
    select: { id: true },
  });
  if (member === null) {
    await requireRoomForMembership(tx, input.userId);
    await tx.member.create({
      data: { id: newId(now.getTime()), organizationId, userId: input.userId, role, clusterRoles, createdAt: now },
    });
    await forgetRemoval({ tx, organizationId }, input.userId);
  }
  await tx.invitation.update({
    where: { id: invitation.id },
    data: { status: 'accepted', closedAt: now, tokenHash: null },
  });
  await recordAudit(
    { ...context, organizationId },
    {
      action: 'invitation.accept',
      targetType: 'invitation',
      targetId: invitation.id,
      after: { email: invitation.email, role, ...recordedRoles(clusterRoles) },
    },
  );
  return { organizationId };
}
