// The audit log as a file, oldest first, with everything needed to verify the chain independently of us.
import type { Scope } from '../access/scope.ts';
import { type AuditFilter, auditWhere } from './audit-filter.ts';
import { type ExportedAuditRow, renderAuditCsvHeader, renderAuditCsvRow, renderAuditJson } from './render-audit.ts';

export type AuditExportFormat = 'ndjson' | 'csv';

/** Rows read per transaction. Keeps transactions short, however long the log is. */
const BATCH_SIZE = 1_000;

/** Runs work for the tenant, in its own transaction. */
type Run = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>;

/** Yields the file in chunks. */
export async function* exportAudit(
  run: Run,
  input: AuditFilter & { format: AuditExportFormat },
): AsyncGenerator<string, void, undefined> {
  const { format, ...filter } = input;
  yield format === 'csv' ? renderAuditCsvHeader() : '';
  const render = format === 'csv' ? renderAuditCsvRow : renderAuditJson;
  for await (const rows of auditBatches(run, filter)) {
    yield rows.map(render).join('');
  }
}

/**
 * Yields rows in batches, one transaction each, up to the row that was the newest at the start. Rows are only ever
 * added, so the batches fit together.
 */
export async function* auditBatches(
  run: Run,
  filter: AuditFilter,
): AsyncGenerator<ExportedAuditRow[], void, undefined> {
  const newest = await run(({ tx, organizationId }) => tx.auditHead.findUnique({ where: { organizationId } }));
  let after = 0n;
  for (;;) {
    const rows = await run((scope) => readRows(scope, filter, { after, upTo: newest?.seq ?? 0n }));
    if (rows.length > 0) {
      yield rows;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) {
      return;
    }
    after = last.seq;
  }
}

async function readRows(
  { tx, organizationId }: Scope,
  filter: AuditFilter,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<ExportedAuditRow[]> {
  const rows = await tx.auditLog.findMany({
    where: { ...auditWhere(organizationId, filter), seq: { gt: after, lte: upTo } },
    orderBy: { seq: 'asc' },
    take: BATCH_SIZE,
  });
  // The exact text that the row's hash covers. Only the database writes it in that form.
  const hashed = await tx.$queryRaw<{ id: string; text: string }[]>`
    SELECT id::text AS id, jsonb_build_array(
      seq, encode(previous_hash, 'hex'), id, organization_id, actor_type, actor_id, actor_label, source,
      action, target_type, target_id, before, after, round(extract(epoch FROM at) * 1000)::bigint
    )::text AS text
    FROM audit_log WHERE organization_id = ${organizationId} AND id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
  const textOf = new Map(hashed.map(({ id, text }) => [id, text]));
  return rows.map((row) => {
    const hashedText = textOf.get(row.id);
    if (hashedText === undefined) {
      throw new Error(`row ${row.id} of the audit log disappeared while it was exported`);
    }
    return { ...row, hashedText };
  });
}
