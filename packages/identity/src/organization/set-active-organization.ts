// Stores the user's current organization in the session.
import type { Transaction } from '@penstock/database/client';
import { notFound } from '@penstock/platform';

/**
 * @throws AppError `organization_not_found` if the user is not a member, so that it does not reveal other organizations
 */
export async function setActiveOrganization(
  tx: Transaction,
  input: { sessionId: string; userId: string; organizationId: string },
): Promise<void> {
  const member = await tx.member.findUnique({
    where: {
      organizationId_userId: { organizationId: input.organizationId, userId: input.userId },
      organization: { deletedAt: null },
    },
    select: { id: true },
  });
  if (member === null) {
    throw notFound('organization');
  }
  await tx.session.update({
    where: { id: input.sessionId, userId: input.userId },
    data: { activeOrganizationId: input.organizationId },
  });
}
