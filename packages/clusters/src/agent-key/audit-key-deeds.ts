// Puts into the audit log what clients did with records and offsets: one row per agent key, hour and object.
import type { Database } from '@penstock/database/client';
import { type Actor, type AuditRowFacts, inTransaction, recordAudit } from '@penstock/tenancy';
import { HOUR_MS, MINUTE_MS } from '@penstock/units';

/** Which client it was, nobody recorded: the row names the key of its agent. */
const actor: Actor = { type: 'kafka-client', id: null, label: 'Kafka clients', source: 'kafka' };
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
      DELETE FROM agent_key_deed WHERE (key_id, hour, kind, subject) IN (
        SELECT key_id, hour, kind, subject FROM agent_key_deed WHERE hour <= ${endedBefore}
        LIMIT ${MAX_ROWS} FOR UPDATE SKIP LOCKED)
      RETURNING key_id, hour, kind, subject, cluster_id, organization_id, calls`;
    for (const { key_id, hour, kind, subject, cluster_id: clusterId, organization_id, calls } of deeds) {
      const about = facts.get(kind);
      if (about === undefined) {
        throw new Error(`There is no action for ${kind}.`);
      }
      await recordAudit(
        { tx, organizationId: organization_id, actor, now },
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
          },
        },
      );
    }
    return deeds.length;
  });
}
