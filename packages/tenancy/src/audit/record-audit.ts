// Writes the audit row of a change, in the transaction of that change.
import { Prisma } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';
import type { AuditAction } from './audit-actions.ts';
import { storableText, storableValue } from './storable-text.ts';

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
      actorLabel: storableText(scope.actor.label),
      source: scope.actor.source,
      action: entry.action,
      targetType: entry.targetType,
      targetId: storableText(entry.targetId),
      before: storableObject(entry.before),
      after: storableObject(entry.after),
      at: scope.now,
    },
  });
}

function storableObject(object: Prisma.InputJsonObject | undefined) {
  return object === undefined ? Prisma.DbNull : (JSON.parse(JSON.stringify(object, storableValue)) as typeof object);
}
