// Purges a deleted organization after its restore window: members, invitations, keys, alerts, webhooks. It keeps what
// the law and billing require: invoices and ledgers with their billing details, the usage ledger with its sealed
// blocks, and the audit chain. It waits until the clusters are purged and the last invoice is issued and paid.
import { billingMonthAt, monthsLater, readUnbilledMonths } from '@penstock/billing';
import { RESTORE_WINDOW_MS } from '@penstock/clusters';
import type { Database } from '@penstock/database/client';
import { ownerAddresses } from '@penstock/identity';
import { inTransaction, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { owedInvoices, PURGED_NAME, restoreUntil } from './deletion.ts';
import { organizationPurgedMail } from './organization-mails.ts';

/** Ids of organizations that were deleted before the start of the restore window. */
export async function listPurgeableOrganizations(database: Database, now: Date): Promise<string[]> {
  const rows = await database.organization.findMany({
    where: { deletedAt: { lte: new Date(now.getTime() - RESTORE_WINDOW_MS) }, purgedAt: null },
    orderBy: { deletedAt: 'asc' },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}

export type OrganizationPurgeOutcome =
  | 'purged'
  | 'not deleted'
  | 'waits for its clusters'
  | 'waits for an invoice'
  | 'waits for a payment';

/** Purges one organization, unless it was restored meanwhile or still has something to settle. */
export function purgeOrganization(
  database: Database,
  organizationId: string,
  now: Date,
): Promise<OrganizationPurgeOutcome> {
  return inTransaction(database, async (tx) => {
    const actor = { type: 'system', id: null, label: 'Purge of deleted organizations', source: 'worker' } as const;
    const scope: Scope = { tx, organizationId, actor, now };
    await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
    const organization = await tx.organization.findUnique({ where: { id: organizationId } });
    if (
      organization?.deletedAt == null ||
      organization.purgedAt !== null ||
      restoreUntil(organization.deletedAt) > now
    ) {
      return 'not deleted';
    }
    if ((await tx.virtualCluster.count({ where: { organizationId } })) > 0) {
      return 'waits for its clusters';
    }
    const nextMonth = monthsLater(billingMonthAt(now.getTime()), 1);
    if ((await readUnbilledMonths(scope, nextMonth)).length > 0) {
      return 'waits for an invoice';
    }
    if ((await owedInvoices(scope)).length > 0) {
      return 'waits for a payment';
    }

    const owners = await ownerAddresses(scope);
    const where = { organizationId };
    const invitations = await tx.invitation.deleteMany({ where });
    const members = await tx.member.deleteMany({ where });
    const apiKeys = await tx.apiKey.deleteMany({ where });
    await tx.removedMember.deleteMany({ where });
    await tx.scimToken.deleteMany({ where });
    await tx.scimGroup.deleteMany({ where });
    await tx.scimUser.deleteMany({ where });
    await tx.ssoConnection.deleteMany({ where });
    await tx.ssoDomain.deleteMany({ where });
    await tx.account.deleteMany({ where: { providerId: { startsWith: `sso:${organizationId}:` } } });
    await tx.idempotencyKey.deleteMany({ where });
    await tx.webhookDelivery.deleteMany({ where });
    await tx.budgetAlert.deleteMany({ where });
    await tx.organizationSuspension.deleteMany({ where });
    await tx.billingAccount.updateMany({
      where,
      data: { billingEmail: null, webhookUrl: null, webhookSecret: null, budgetUsd: null, capUsd: null },
    });
    await tx.organization.update({
      where: { id: organizationId },
      data: { name: PURGED_NAME, slug: organizationId, logo: null, metadata: null, purgedAt: now },
    });
    await recordAudit(scope, {
      action: 'organization.purge',
      targetType: 'organization',
      targetId: organizationId,
      before: { deletedAt: organization.deletedAt.toISOString() },
      after: { members: members.count, invitations: invitations.count, apiKeys: apiKeys.count },
    });
    for (const to of owners) {
      await queueMail(tx, organizationPurgedMail(to, { name: organization.name }), now);
    }
    return 'purged';
  });
}
