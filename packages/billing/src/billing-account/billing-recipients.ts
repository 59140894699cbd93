// The recipients of billing mails.
import type { BillingAccountRow, Scope } from '@penstock/tenancy';

/** The organization's billing address, otherwise its owners. */
export async function billingRecipients(
  { tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>,
  account: Pick<BillingAccountRow, 'billingEmail'> | null,
): Promise<string[]> {
  if (account?.billingEmail != null) {
    return [account.billingEmail];
  }
  const owners = await tx.member.findMany({
    where: { organizationId, role: 'owner' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { user: { select: { email: true } } },
  });
  return owners.map(({ user }) => user.email);
}
