// Who receives alerts: by mail the members, each as chosen and by default owners, admins and
// operators, and the organization's webhook.
import type { Scope } from '@penstock/tenancy';

export interface AlertMember {
  userId: string;
  name: string;
  email: string;
  role: string;
  isTold: boolean;
}

export interface AlertRecipients {
  emails: string[];
  webhookUrl: string | null;
  /** All members, longest membership first. */
  members: AlertMember[];
}

const notifiedByRole: ReadonlySet<string> = new Set(['owner', 'admin', 'operator']);

export async function alertRecipients({
  tx,
  organizationId,
}: Pick<Scope, 'tx' | 'organizationId'>): Promise<AlertRecipients> {
  const rows = await tx.member.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      role: true,
      user: { select: { id: true, name: true, email: true } },
      alertChoice: { select: { isTold: true } },
    },
  });
  const members = rows.map(({ role, user, alertChoice }) => ({
    userId: user.id,
    name: user.name,
    email: user.email,
    role,
    isTold: alertChoice?.isTold ?? notifiedByRole.has(role),
  }));
  const account = await tx.billingAccount.findUnique({ where: { organizationId }, select: { webhookUrl: true } });
  return {
    emails: members.filter(({ isTold }) => isTold).map(({ email }) => email),
    webhookUrl: account?.webhookUrl ?? null,
    members,
  };
}
