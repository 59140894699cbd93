// Creates an organization with its first owner.
import { claimCreditsForPerson } from '@penstock/billing';
import type { Transaction } from '@penstock/database/client';
import { requireRoomForMembership } from '@penstock/identity';
import { newId, randomBase62 } from '@penstock/platform';
import { type Actor, recordAudit, withinTenant } from '@penstock/tenancy';

export interface NewOrganization {
  name: string;
  ownerId: string;
}

/** A readable name for URLs. Random letters make it unique. */
function slugFor(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${words === '' ? 'organization' : words}-${randomBase62(6).toLowerCase()}`;
}

/**
 * Creates the organization and makes the user its owner. It gets credits if the user hasn’t had them before.
 * @throws AppError `organization_limit` if the user belongs to too many
 */
export async function createOrganization(
  context: { tx: Transaction; actor: Actor; now: Date },
  input: NewOrganization,
): Promise<{ id: string; name: string; slug: string }> {
  const { tx, now } = context;
  await requireRoomForMembership(tx, input.ownerId);
  const organization = { id: newId(now.getTime()), name: input.name, slug: slugFor(input.name) };
  await tx.organization.create({ data: { ...organization, createdAt: now } });
  await tx.member.create({
    data: {
      id: newId(now.getTime()),
      organizationId: organization.id,
      userId: input.ownerId,
      role: 'owner',
      createdAt: now,
    },
  });
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: input.ownerId }, select: { email: true } });
  await withinTenant(tx, organization.id, () =>
    claimCreditsForPerson({ tx, organizationId: organization.id, now }, email),
  );
  await recordAudit(
    { ...context, organizationId: organization.id },
    {
      action: 'organization.create',
      targetType: 'organization',
      targetId: organization.id,
      after: { name: organization.name, slug: organization.slug },
    },
  );
  return organization;
}
