// The organization itself.
import { notFound } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  createdAt: Date;
}

/** @throws AppError `organization_not_found` */
export async function getOrganization({ tx, organizationId }: Scope): Promise<Organization> {
  const row = await tx.organization.findUnique({
    where: { id: organizationId },
    select: { id: true, name: true, slug: true, createdAt: true },
  });
  if (row === null) {
    throw notFound('organization');
  }
  return row;
}
