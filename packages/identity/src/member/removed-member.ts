// Remembers who was removed from an organization, so that single sign-on, which adds members by itself, does not add them
// again.
import type { Transaction } from '@penstock/database/client';
import type { Scope } from '@penstock/tenancy';

/** Sign-in works across organizations, so this is less than a tenant's scope. */
interface Place {
  tx: Transaction;
  organizationId: string;
}

export async function rememberRemoval({ tx, organizationId, now }: Scope, userId: string): Promise<void> {
  await tx.removedMember.upsert({
    where: { organizationId_userId: { organizationId, userId } },
    create: { organizationId, userId, removedAt: now },
    update: { removedAt: now },
  });
}

/** Once the person is a member again. */
export async function forgetRemoval({ tx, organizationId }: Place, userId: string): Promise<void> {
  await tx.removedMember.deleteMany({ where: { organizationId, userId } });
}

/** Whether the person was removed and has no open invitation since. */
export async function isBarred(
  { tx, organizationId }: Place,
  person: { userId: string; email: string },
  now: Date,
): Promise<boolean> {
  const removed = await tx.removedMember.findUnique({
    where: { organizationId_userId: { organizationId, userId: person.userId } },
    select: { removedAt: true },
  });
  if (removed === null) {
    return false;
  }
  const invitation = await tx.invitation.findFirst({
    where: { organizationId, email: person.email, status: 'pending', expiresAt: { gt: now } },
    select: { id: true },
  });
  return invitation === null;
}
