// Remembers who was removed from an organization, so that single sign-on and provisioning, which add members by themselves,
// do not add them again.
import type { Transaction } from '@penstock/database/client';
import type { Scope } from '@penstock/tenancy';
import { forgetDeprovisioning } from './provisioned-person.ts';

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
  await forgetDeprovisioning({ tx, organizationId }, userId);
}

/** Whether an open invitation lets the person in. */
export async function isInvited(
  { tx, organizationId }: Place,
  { email }: { email: string },
  now: Date,
): Promise<boolean> {
  const invitation = await tx.invitation.findFirst({
    where: { organizationId, email, status: 'pending', expiresAt: { gt: now } },
    select: { id: true },
  });
  return invitation !== null;
}

/** Whether a person of the organization removed them and there is no open invitation since. */
export async function isBarred(place: Place, person: { userId: string; email: string }, now: Date): Promise<boolean> {
  const { tx, organizationId } = place;
  const removed = await tx.removedMember.findUnique({
    where: { organizationId_userId: { organizationId, userId: person.userId } },
    select: { removedAt: true },
  });
  return removed !== null && !(await isInvited(place, person, now));
}
