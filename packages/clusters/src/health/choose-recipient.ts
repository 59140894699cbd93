// Sets whether a member receives alerts by mail, whatever their role.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { alertRecipients } from './alert-recipients.ts';

/**
 * Applies to all clusters of the organization. Choosing the current value changes nothing.
 * @returns whether anything was changed
 * @throws AppError `member_not_found`
 */
export async function chooseRecipient(
  scope: Scope,
  input: { userId: string; isTold: boolean },
): Promise<{ changed: boolean }> {
  const { tx, organizationId } = scope;
  const member = await tx.member.findFirst({
    where: { organizationId, userId: input.userId },
    select: { id: true, user: { select: { email: true } } },
  });
  if (member === null) {
    throw new AppError({
      kind: 'not-found',
      code: 'member_not_found',
      message: 'This organization has no such member.',
      remedy: 'They may have left. Reload the page.',
    });
  }
  const { members } = await alertRecipients(scope);
  const before = members.find(({ userId }) => userId === input.userId)?.isTold;
  if (before === input.isTold) {
    return { changed: false };
  }
  const choice = { isTold: input.isTold };
  await tx.alertChoice.upsert({
    where: { memberId: member.id },
    create: { memberId: member.id, organizationId, ...choice },
    update: choice,
  });
  await recordAudit(scope, {
    action: 'alerts.choose-recipient',
    targetType: 'member',
    targetId: input.userId,
    before: { email: member.user.email, isTold: !input.isTold },
    after: { email: member.user.email, isTold: input.isTold },
  });
  return { changed: true };
}
