// Whether an organization demands two-factor sign-in of its members.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';

export interface TwoFactorDemand {
  isRequired: boolean;
  /** Addresses of members whose account has no second factor, longest membership first. */
  membersWithout: string[];
}

export async function getTwoFactorDemand({ tx, organizationId }: Scope): Promise<TwoFactorDemand> {
  const { requiresTwoFactor } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { requiresTwoFactor: true },
  });
  const members = await tx.member.findMany({
    where: { organizationId, user: { twoFactorEnabled: false } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { user: { select: { email: true } } },
  });
  return { isRequired: requiresTwoFactor, membersWithout: members.map(({ user }) => user.email) };
}

/**
 * Members without a second factor lose access at once, until they set it up or sign in through the identity provider.
 * @param acting.isSso whether an identity provider authenticated the acting user
 * @throws AppError `two_factor_missing`
 */
export async function setTwoFactorDemand(
  scope: Scope,
  input: { isRequired: boolean },
  acting: { userId: string; isSso: boolean },
): Promise<TwoFactorDemand> {
  const { tx, organizationId } = scope;
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const before = await getTwoFactorDemand(scope);
  if (before.isRequired === input.isRequired) {
    return before;
  }
  if (input.isRequired) {
    await requireSecondFactor(scope, acting);
  }
  await tx.organization.update({
    where: { id: organizationId },
    data: { requiresTwoFactor: input.isRequired },
    select: { id: true },
  });
  await recordAudit(scope, {
    action: 'organization.require-two-factor',
    targetType: 'organization',
    targetId: organizationId,
    before: { isRequired: before.isRequired },
    after: { isRequired: input.isRequired },
  });
  return { ...before, isRequired: input.isRequired };
}

/**
 * For demands that would lock out somebody who cannot meet them: the person who makes one must meet it.
 * @throws AppError `two_factor_missing`
 */
export async function requireSecondFactor({ tx }: Scope, acting: { userId: string; isSso: boolean }): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: acting.userId }, select: { twoFactorEnabled: true } });
  if (acting.isSso || user?.twoFactorEnabled === true) {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'two_factor_missing',
    message: 'Your own account has no two-factor sign-in, so this change would lock you out.',
    remedy: 'Set up two-factor sign-in on your account page first.',
  });
}
