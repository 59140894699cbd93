// Restores a deleted organization with its members, its settings, and the clusters that were deleted with it. Keys stay
// revoked.
import type { Database } from '@penstock/database/client';
import { findActingMember, lockMembers, ownerAddresses } from '@penstock/identity';
import { AppError, notFound } from '@penstock/platform';
import { type Actor, inTenant, inTransaction, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { restoreUntil } from './deletion.ts';
import { organizationRestoredMail } from './organization-mails.ts';

/**
 * Runs work within a deleted organization, only for its owners. The usual path admits nobody to one.
 * @throws AppError `organization_not_found` for everybody else
 */
export async function inDeletedOrganization<T>(
  database: Database,
  who: { actor: Actor; organizationId: string; now: Date },
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const { actor, organizationId, now } = who;
  if (actor.type !== 'user' || actor.id === null) {
    throw notFound('organization');
  }
  const userId = actor.id;
  const owned = await inTransaction(database, (tx) =>
    tx.member.findFirst({
      where: {
        organizationId,
        userId,
        role: 'owner',
        organization: { deletedAt: { not: null }, purgedAt: null },
      },
      select: { id: true },
    }),
  );
  if (owned === null) {
    throw notFound('organization');
  }
  return inTenant(database, organizationId, (tx) => work({ tx, organizationId, actor, now }));
}

/** @throws AppError `organization_not_found`, `organization_restore_expired` */
export async function restoreOrganization(scope: Scope, settings: { webUrl: string }): Promise<{ name: string }> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const organization = await tx.organization.findUnique({ where: { id: organizationId } });
  const acting = await findActingMember(scope);
  const deletedAt = organization?.deletedAt ?? null;
  if (organization === null || deletedAt === null || acting.role !== 'owner') {
    throw notFound('organization');
  }
  if (restoreUntil(deletedAt) <= now) {
    throw new AppError({
      kind: 'refused',
      code: 'organization_restore_expired',
      message: `“${organization.name}” was deleted more than 30 days ago and can no longer be restored.`,
      remedy: 'Create a new organization.',
    });
  }
  await tx.organization.update({ where: { id: organizationId }, data: { deletedAt: null } });
  // Clusters that were deleted earlier stay deleted; they can be restored one by one.
  const clusters = await tx.virtualCluster.updateManyAndReturn({
    where: { organizationId, deletedAt },
    data: { deletedAt: null, updatedAt: now },
    select: { id: true, name: true },
  });
  for (const { id, name } of clusters) {
    await recordAudit(scope, {
      action: 'cluster.restore',
      targetType: 'cluster',
      targetId: id,
      before: { deletedAt: deletedAt.toISOString() },
      after: { name },
    });
  }
  await recordAudit(scope, {
    action: 'organization.restore',
    targetType: 'organization',
    targetId: organizationId,
    before: { deletedAt: deletedAt.toISOString() },
    after: { name: organization.name, clusters: clusters.length },
  });
  for (const to of await ownerAddresses(scope)) {
    const facts = { name: organization.name, by: acting.email, link: `${settings.webUrl}/app` };
    await queueMail(tx, organizationRestoredMail(to, facts), now);
  }
  return { name: organization.name };
}
