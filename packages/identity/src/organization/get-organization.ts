// The organization itself.
import { notFound } from '@penstock/platform';
import { getSuspension, type Scope, type Suspension } from '@penstock/tenancy';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  createdAt: Date;
  /** Null unless we have suspended the organization. */
  suspension: Suspension | null;
}

/** @throws AppError `organization_not_found` */
export async function getOrganization(scope: Scope): Promise<Organization> {
  const { tx, organizationId } = scope;
  const row = await tx.organization.findUnique({
    where: { id: organizationId },
    select: { id: true, name: true, slug: true, createdAt: true },
  });
  if (row === null) {
    throw notFound('organization');
  }
  return { ...row, suspension: await getSuspension(scope) };
}
