// What the holder of a link sees before accepting.
import type { Transaction } from '@penstock/database/client';
import { parseRole, type Role } from '@penstock/tenancy';
import { hashInvitationToken, invitationNotUsable } from './invitation.ts';

export interface InvitationPreview {
  organizationName: string;
  inviterEmail: string;
  role: Role;
  /** The only address that may accept. */
  email: string;
}

/** @throws AppError `invitation_not_usable` */
export async function previewInvitation(
  tx: Transaction,
  input: { token: string; now: Date },
): Promise<InvitationPreview> {
  const invitation = await tx.invitation.findFirst({
    where: { tokenHash: hashInvitationToken(input.token), status: 'pending', expiresAt: { gt: input.now } },
    select: {
      email: true,
      role: true,
      organization: { select: { name: true } },
      inviter: { select: { email: true } },
    },
  });
  if (invitation === null) {
    throw invitationNotUsable();
  }
  return {
    organizationName: invitation.organization.name,
    inviterEmail: invitation.inviter.email,
    role: parseRole(invitation.role ?? ''),
    email: invitation.email,
  };
}
