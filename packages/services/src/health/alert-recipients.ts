// Who is told of trouble: whoever may do something about it, by mail, and the organization's webhook.
import type { Scope } from '../access/scope.ts';

export interface AlertRecipients {
  emails: string[];
  webhookUrl: string | null;
}

export async function alertRecipients({
  tx,
  organizationId,
}: Pick<Scope, 'tx' | 'organizationId'>): Promise<AlertRecipients> {
  const members = await tx.member.findMany({
    where: { organizationId, role: { in: ['owner', 'admin'] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { user: { select: { email: true } } },
  });
  const account = await tx.billingAccount.findUnique({ where: { organizationId }, select: { webhookUrl: true } });
  return { emails: members.map(({ user }) => user.email), webhookUrl: account?.webhookUrl ?? null };
}
