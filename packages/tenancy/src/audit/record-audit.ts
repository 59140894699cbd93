// Writes the audit row of a change, in the transaction of that change.
import { Prisma } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';
import type { AccountAction } from './account-action.ts';

/** `<noun>.<verb>`. Stable, because programs and filters use it. */
export type AuditAction =
  | 'organization.create'
  | 'organization.transfer-ownership'
  | 'organization.require-two-factor'
  | 'organization.set-session-lifetime'
  | 'organization.export'
  | 'organization.suspend'
  | 'organization.lift-suspension'
  | 'organization.delete'
  | 'organization.restore'
  | 'organization.purge'
  | 'member.change-role'
  | 'member.change-cluster-roles'
  | 'member.remove'
  | 'member.leave'
  | 'member.provision'
  | 'member.deprovision'
  | 'sso.update'
  | 'sso.remove'
  | 'sso.test'
  | 'sso.refresh-metadata'
  | 'sso.add-domain'
  | 'sso.verify-domain'
  | 'sso.lose-domain'
  | 'sso.remove-domain'
  | 'scim-token.create'
  | 'scim-token.revoke'
  | 'scim-user.create'
  | 'scim-user.update'
  | 'scim-user.delete'
  | 'scim-group.create'
  | 'scim-group.update'
  | 'scim-group.delete'
  | 'invitation.create'
  | 'invitation.revoke'
  | 'invitation.accept'
  | AccountAction
  | 'cluster.create'
  | 'cluster.rename'
  | 'cluster.update-settings'
  | 'cluster.delete'
  | 'cluster.restore'
  | 'cluster.purge'
  | 'agent-key.create'
  | 'agent-key.update'
  | 'agent-key.revoke'
  | 'agent-key.new-network'
  | 'agent-address.confirm'
  | 'agent-address.remove'
  | 'api-key.create'
  | 'api-key.rotate'
  | 'api-key.lower-role'
  | 'api-key.new-network'
  | 'api-key.refuse'
  | 'api-key.revoke'
  | 'billing.update-budget'
  | 'billing.update-webhook'
  | 'billing.cap-reach'
  | 'billing.cap-lift'
  | 'billing.update-details'
  | 'billing.change-payment-method'
  | 'billing.change-standing'
  | 'billing.record-transfer'
  | 'billing.pay-by-card'
  | 'billing.reverse-payment'
  | 'billing.retry-call'
  | 'billing.hold-usage'
  | 'billing.release-usage'
  | 'billing.waive-usage'
  | 'alerts.choose-recipient'
  | 'silence.create'
  | 'silence.end'
  | 'topic.create'
  | 'topic.delete'
  | 'topic.alter-configs'
  | 'topic.delete-records'
  | 'topic.add-partitions'
  | 'topic.browse'
  | 'group.reset-offsets'
  | 'group.delete'
  | 'group.commit-offsets'
  | 'group.delete-offsets'
  | 'group.alter-configs'
  | 'client-metrics.alter-configs'
  | 'transaction.abort'
  | 'cluster-user.put-credential'
  | 'cluster-user.delete'
  | 'acl.create'
  | 'acl.delete'
  | 'quota.set'
  | 'security.update-settings'
  | 'invoice.issue'
  | 'credit-note.issue';

export interface AuditEntry {
  action: AuditAction;
  targetType:
    | 'organization'
    | 'account'
    | 'member'
    | 'invitation'
    | 'sso-domain'
    | 'scim-token'
    | 'scim-user'
    | 'scim-group'
    | 'cluster'
    | 'agent-key'
    | 'agent-address'
    | 'api-key'
    | 'topic'
    | 'client-metrics'
    | 'transaction'
    | 'group'
    | 'cluster-user'
    | 'acl'
    | 'quota'
    | 'invoice';
  targetId: string;
  /** The values before the change. Never a secret. */
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
}

/** Writes the row. If it cannot be written, the change fails too. */
export async function recordAudit(scope: Scope, entry: AuditEntry): Promise<void> {
  // Not `create`, which reads the row back: some who may add to the log may not read it.
  await scope.tx.auditLog.createMany({
    data: {
      id: newId(scope.now.getTime()),
      organizationId: scope.organizationId,
      actorType: scope.actor.type,
      actorId: scope.actor.id,
      actorLabel: scope.actor.label,
      source: scope.actor.source,
      action: entry.action,
      targetType: entry.targetType,
      targetId: entry.targetId,
      before: entry.before ?? Prisma.DbNull,
      after: entry.after ?? Prisma.DbNull,
      at: scope.now,
    },
  });
}
