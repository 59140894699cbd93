// The recipients of mail about an organization as a whole.
import type { Scope } from '@penstock/tenancy';

/** The e-mail addresses of its owners, longest membership first. */
export async function ownerAddresses({ tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>): Promise<string[]> {
  const owners = await tx.member.findMany({
    where: { organizationId, role: 'owner' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { user: { select: { email: true } } },
  });
  return owners.map(({ user }) => user.email);
}
