// Writes audit rows in plain SQL, for work that has no use-case transaction.
import { newId } from '@penstock/platform';
import type { Actor } from '../access/scope.ts';
import type { AuditEntry } from './record-audit.ts';
import { storableValue } from './storable-text.ts';

export interface AuditRowFacts extends AuditEntry {
  organizationId: string;
  actor: Actor;
  at: Date;
}

/** Part of the pg driver's client. */
interface Connection {
  query(query: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}

/** Writes the rows in their order, in the connection's transaction. */
export async function recordAuditRows(connection: Connection, rows: readonly AuditRowFacts[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const columns = rows.map(({ organizationId, actor, action, targetType, targetId, before, after, at }) => ({
    id: newId(at.getTime()),
    organization_id: organizationId,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_label: actor.label,
    source: actor.source,
    action,
    target_type: targetType,
    target_id: targetId,
    before,
    after,
    at: at.toISOString(),
  }));
  await connection.query({
    name: 'audit-rows-add',
    text: `INSERT INTO audit_log (id, organization_id, actor_type, actor_id, actor_label, source, action, target_type, target_id,
             before, after, at)
           SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, organization_id text, actor_type text, actor_id text,
             actor_label text, source text, action text, target_type text, target_id text, before jsonb, after jsonb,
             at timestamptz)`,
    values: [JSON.stringify(columns, storableValue)],
  });
}
