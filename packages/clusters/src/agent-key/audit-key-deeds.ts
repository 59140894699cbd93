// Puts into the audit log what clients did with records and offsets: one row per agent key, hour, object and client.
import type { Database } from '@penstock/database/client';
import { type Actor, type AuditRowFacts, inTransaction, recordAudit } from '@penstock/tenancy';
import { HOUR_MS, MINUTE_MS } from '@penstock/units';

/** The agent may not have named the client: the service accepts that. */
function actorOf(principal: string): Actor {
  const isNamed = principal !== '';
  const label = isNamed ? principal : 'Kafka clients';
  return { type: 'kafka-client', id: isNamed ? principal : null, label, source: 'kafka' };
}

/** Metadata processes write their counts some seconds later. */
const SETTLING_MS = MINUTE_MS;
/** One transaction's share; the rest follows with the next run. */
const MAX_ROWS = 500;

const facts: ReadonlyMap<string, Pick<AuditRowFacts, 'action' | 'targetType'> & { field: string }> = new Map([
  ['delete-records', { action: 'topic.delete-records', targetType: 'topic', field: 'name' }],
  ['delete-offsets', { action: 'group.delete-offsets', targetType: 'group', field: 'groupId' }],
  ['commit-offsets', { action: 'group.commit-offsets', targetType: 'group', field: 'groupId' }],
]);

interface DeedRow {
  key_id: string;
  hour: Date;
  kind: string;
  subject: string;
  principal: string;
  is_verified: boolean;
  cluster_id: string;
  organization_id: string;
  calls: number;
}

/** @returns how many rows were written */
export function auditKeyDeeds(database: Database, now: Date): Promise<number> {
  const endedBefore = new Date(now.getTime() - HOUR_MS - SETTLING_MS);
  return inTransaction(database, async (tx) => {
    // Deleted first: of two workers, only one gets each row.
    const deeds = await tx.$queryRaw<DeedRow[]>`
      DELETE FROM agent_key_deed WHERE (key_id, hour, kind, subject, principal, is_verified) IN (
        SELECT key_id, hour, kind, subject, principal, is_verified FROM agent_key_deed WHERE hour <= ${endedBefore}
        LIMIT ${MAX_ROWS} FOR UPDATE SKIP LOCKED)
      RETURNING key_id, hour, kind, subject, principal, is_verified, cluster_id, organization_id, calls`;
    for (const deed of deeds) {
      const {
        key_id,
        hour,
        kind,
        subject,
        principal,
        is_verified,
        cluster_id: clusterId,
        organization_id,
        calls,
      } = deed;
      const about = facts.get(kind);
      if (about === undefined) {
        throw new Error(`There is no action for ${kind}.`);
      }
      await recordAudit(
        { tx, organizationId: organization_id, actor: actorOf(principal), now },
        {
          action: about.action,
          targetType: about.targetType,
          targetId: `${clusterId}/${subject}`,
          after: {
            clusterId,
            [about.field]: subject,
            calls,
            withinHourFrom: hour.toISOString(),
            agentKeyId: key_id,
            ...(is_verified ? { principalVerified: true } : {}),
          },
        },
      );
    }
    return deeds.length;
  });
}
