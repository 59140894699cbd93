// Whether an operator has suspended the organization, and what is refused meanwhile.
import { AppError } from '@penstock/platform';
import type { OrganizationScope } from '../access/scope.ts';

export interface Suspension {
  /** As the operator wrote it for the customer. */
  reason: string;
  /** Whether consumers can still read. */
  readsAllowed: boolean;
  suspendedAt: Date;
}

/** Null unless the organization is suspended. */
export async function getSuspension({ tx, organizationId }: OrganizationScope): Promise<Suspension | null> {
  return await tx.organizationSuspension.findUnique({
    where: { organizationId },
    select: { reason: true, readsAllowed: true, suspendedAt: true },
  });
}

/**
 * For changes that would open a way around a suspension: clusters and keys.
 * @throws AppError `organization_suspended`
 */
export async function assertNotSuspended(scope: OrganizationScope): Promise<void> {
  const suspension = await getSuspension(scope);
  if (suspension === null) {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'organization_suspended',
    message: `This organization is suspended: ${suspension.reason}`,
    remedy:
      'Reply to the mail about the suspension, or contact support. Clusters and keys can be created once it is lifted.',
  });
}
