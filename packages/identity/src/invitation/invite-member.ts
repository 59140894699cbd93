// Invites an address to the organization, by mail. Replaces an open invitation to the same address.
import { AppError, newId } from '@penstock/platform';
import {
  type ClusterRoleEntry,
  listClusterRoles,
  queueMail,
  type Role,
  recordAudit,
  type Scope,
} from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { requireOwnClusters } from '../api-key/own-clusters.ts';
import { findActingMember, lockMembers, type Member, requireReach } from '../member/member.ts';
import {
  hashInvitationToken,
  INVITATION_LIFETIME_MS,
  type Invitation,
  newInvitationToken,
  recordedRoles,
} from './invitation.ts';
import { invitationMail } from './invitation-mail.ts';

/** Invitations go to people without an account. The limit suffices for a large team in a day and makes spam useless. */
const MAX_INVITATIONS_PER_DAY = 100;

/**
 * @param input.email trimmed and in lower case
 * @param webUrl the origin of the link
 * @throws AppError `role_out_of_reach`, `cluster_unknown`, `already_member`, `invitation_limit`
 */
export async function inviteMember(
  scope: Scope,
  webUrl: string,
  input: { email: string; role: Role; clusterRoles?: readonly ClusterRoleEntry[] | undefined },
): Promise<Invitation> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const acting = await findActingMember(scope);
  requireReach(acting, input.role);
  const clusterRoles = await requireOwnClusters(scope, input.clusterRoles ?? []);
  const member = await tx.member.findFirst({
    where: { organizationId, user: { email: input.email } },
    select: { id: true },
  });
  if (member !== null) {
    throw new AppError({
      kind: 'conflict',
      code: 'already_member',
      message: `${input.email} is already a member.`,
      remedy: 'To change their role, use the list of members.',
      field: 'email',
    });
  }
  const sent = await tx.invitation.count({
    where: { organizationId, createdAt: { gt: new Date(now.getTime() - DAY_MS) } },
  });
  if (sent >= MAX_INVITATIONS_PER_DAY) {
    throw new AppError({
      kind: 'rate-limited',
      code: 'invitation_limit',
      message: `This organization has reached the limit of ${MAX_INVITATIONS_PER_DAY} invitations per day.`,
      remedy: 'Try again tomorrow, or contact us.',
    });
  }
  await tx.invitation.updateMany({
    where: { organizationId, email: input.email, status: 'pending' },
    data: { status: 'revoked', closedAt: now, tokenHash: null },
  });
  const token = newInvitationToken();
  const invitation = {
    id: newId(now.getTime()),
    email: input.email,
    role: input.role,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
  };
  const { organization } = await tx.invitation.create({
    data: {
      ...invitation,
      clusterRoles,
      organizationId,
      status: 'pending',
      tokenHash: hashInvitationToken(token),
      inviterId: await inviterOf(scope, acting),
    },
    select: { organization: { select: { name: true } } },
  });
  await queueMail(
    tx,
    invitationMail({
      to: input.email,
      organizationName: organization.name,
      inviter: acting.email,
      role: input.role,
      // After the #: browsers never send the fragment, so no server or proxy logs it.
      link: `${webUrl}/invitation#${token}`,
    }),
    now,
  );
  await recordAudit(scope, {
    action: 'invitation.create',
    targetType: 'invitation',
    targetId: invitation.id,
    after: { email: input.email, role: input.role, ...recordedRoles(clusterRoles) },
  });
  return { ...invitation, clusterRoles: listClusterRoles(clusterRoles), inviterEmail: acting.email };
}

/** The inviter named in the mail: the acting user, or for a program the user who created its key. */
async function inviterOf({ tx, organizationId, actor }: Scope, acting: Member): Promise<string> {
  if (actor.type !== 'api-key') {
    return acting.userId;
  }
  const key = await tx.apiKey.findFirst({ where: { id: acting.userId, organizationId }, select: { createdBy: true } });
  const userId = key?.createdBy ?? null;
  const maker =
    userId === null ? null : await tx.member.findFirst({ where: { organizationId, userId }, select: { userId: true } });
  if (maker !== null) {
    return maker.userId;
  }
  throw new AppError({
    kind: 'refused',
    code: 'inviter_missing',
    message: 'The person who created this API key is no longer a member, so invitations can’t be sent in their name.',
    remedy: 'Use a key that a current member created.',
  });
}
