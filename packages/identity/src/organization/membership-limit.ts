// Limits how many organizations one user may belong to.
import type { Transaction } from '@penstock/database/client';
import { AppError } from '@penstock/platform';

/** Far above what a user needs. Prevents a script from filling the table. */
const MAX_ORGANIZATIONS_PER_USER = 20;

/** @throws AppError `organization_limit` if the user belongs to too many */
export async function requireRoomForMembership(tx: Transaction, userId: string): Promise<void> {
  const memberships = await tx.member.count({ where: { userId } });
  if (memberships < MAX_ORGANIZATIONS_PER_USER) {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'organization_limit',
    message: `You’ve reached the limit of ${memberships} organizations per person.`,
    remedy: 'Leave an organization that you no longer need, or contact us.',
  });
}
