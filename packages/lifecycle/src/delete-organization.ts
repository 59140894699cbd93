// Deletes an organization: members lose access at once, and it is permanently deleted after the restore window. Its
// clusters are deleted too, and its keys are revoked. Open invoices must be paid first. This month's usage is billed at
// the end of the month as usual.
import { findActingMember, lockMembers, ownerAddresses } from '@penstock/identity';
import { AppError, notFound } from '@penstock/platform';
import { queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { owedInvoices, restoreUntil } from './deletion.ts';
import { organizationDeletedMail } from './organization-mails.ts';

export interface DeletedOrganization {
  organizationId: string;
  name: string;
  deletedAt: Date;
  /** An owner can restore it until then. */
  restorableUntil: Date;
}

/**
 * @param input.confirmation the organization's exact name, typed by the user
 * @throws AppError `organization_not_found`, `confirmation_mismatch`, `invoice_open`
 */
export async function deleteOrganization(
  scope: Scope,
  input: { confirmation: string },
  settings: { webUrl: string },
): Promise<DeletedOrganization> {
  const { tx, organizationId, now } = scope;
  await lockMembers(scope);
  const organization = await tx.organization.findUnique({ where: { id: organizationId } });
  if (organization === null || organization.deletedAt !== null) {
    throw notFound('organization');
  }
  const acting = await findActingMember(scope);
  if (acting.role !== 'owner') {
    throw new AppError({
      kind: 'forbidden',
      code: 'role_insufficient',
      message: 'Only an owner can delete an organization.',
      remedy: 'Contact an owner of the organization.',
    });
  }
  if (input.confirmation !== organization.name) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'confirmation_mismatch',
      field: 'confirmation',
      message: 'This doesn’t match the organization’s name.',
      remedy: 'Enter the name exactly as shown.',
    });
  }
  await requireNothingOwed(scope);

  const counts = {
    clusters: await deleteClusters(scope),
    agentKeys: await revokeAgentKeys(scope),
    apiKeys: await revokeApiKeys(scope),
    scimTokens: await revokeScimTokens(scope),
    invitations: await revokeInvitations(scope),
  };
  await tx.session.updateMany({
    where: { activeOrganizationId: organizationId },
    data: { activeOrganizationId: null },
  });
  await tx.organization.update({ where: { id: organizationId }, data: { deletedAt: now } });
  await recordAudit(scope, {
    action: 'organization.delete',
    targetType: 'organization',
    targetId: organizationId,
    before: { name: organization.name, ...counts },
  });
  const deleted = { organizationId, name: organization.name, deletedAt: now, restorableUntil: restoreUntil(now) };
  for (const to of await ownerAddresses(scope)) {
    const facts = { name: deleted.name, by: acting.email, restorableUntil: deleted.restorableUntil };
    await queueMail(tx, organizationDeletedMail(to, { ...facts, link: `${settings.webUrl}/app/account` }), now);
  }
  return deleted;
}

async function requireNothingOwed(scope: Scope): Promise<void> {
  const numbers = await owedInvoices(scope);
  if (numbers.length === 0) {
    return;
  }
  const named = numbers.join(', ');
  throw new AppError({
    kind: 'refused',
    code: 'invoice_open',
    message: numbers.length === 1 ? `Invoice ${named} is unpaid.` : `Invoices ${named} are unpaid.`,
    remedy: 'Pay under Billing first. If you’ve sent a bank transfer, wait until it is recorded.',
  });
}

/** Includes protected clusters: the user typed the organization's name to confirm all of them. */
async function deleteClusters(scope: Scope): Promise<number> {
  const { tx, organizationId, now } = scope;
  await tx.$queryRaw`
    SELECT 1 FROM virtual_cluster WHERE organization_id = ${organizationId} AND deleted_at IS NULL ORDER BY id FOR UPDATE`;
  const clusters = await tx.virtualCluster.findMany({
    where: { organizationId, deletedAt: null },
    orderBy: { id: 'asc' },
    select: { id: true, name: true },
  });
  await tx.virtualCluster.updateMany({
    where: { organizationId, deletedAt: null },
    data: { deletedAt: now, updatedAt: now },
  });
  for (const { id, name } of clusters) {
    await recordAudit(scope, { action: 'cluster.delete', targetType: 'cluster', targetId: id, before: { name } });
  }
  return clusters.length;
}

async function revokeAgentKeys(scope: Scope): Promise<number> {
  const { tx, organizationId, now } = scope;
  const keys = await tx.agentKey.updateManyAndReturn({
    where: { organizationId, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true, name: true, clusterId: true, displayPrefix: true, displayLast4: true },
  });
  for (const { id, ...before } of keys) {
    await recordAudit(scope, { action: 'agent-key.revoke', targetType: 'agent-key', targetId: id, before });
  }
  return keys.length;
}

async function revokeApiKeys(scope: Scope): Promise<number> {
  const { tx, organizationId, now } = scope;
  const keys = await tx.apiKey.updateManyAndReturn({
    where: { organizationId, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true, name: true, role: true, displayPrefix: true, displayLast4: true },
  });
  for (const { id, ...before } of keys) {
    await recordAudit(scope, { action: 'api-key.revoke', targetType: 'api-key', targetId: id, before });
  }
  return keys.length;
}

async function revokeScimTokens({ tx, organizationId, now }: Scope): Promise<number> {
  const { count } = await tx.scimToken.updateMany({
    where: { organizationId, revokedAt: null },
    data: { revokedAt: now },
  });
  return count;
}

async function revokeInvitations(scope: Scope): Promise<number> {
  const { tx, organizationId, now } = scope;
  const { count } = await tx.invitation.updateMany({
    where: { organizationId, status: 'pending' },
    data: { status: 'revoked', closedAt: now, tokenHash: null },
  });
  return count;
}
