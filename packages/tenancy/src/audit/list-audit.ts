// The audit log of an organization, newest first, in pages.
import type { Scope } from '../access/scope.ts';
import { type AuditFilter, auditWhere } from './audit-filter.ts';

export interface AuditRow {
  id: string;
  at: Date;
  actorLabel: string;
  source: string;
  action: string;
  targetType: string;
  targetId: string;
  before: unknown;
  after: unknown;
}

export interface AuditPage {
  rows: AuditRow[];
  /** Pass it back for the next page; null at the end. */
  nextCursor: string | null;
}

/** @param input.cursor `nextCursor` of the previous page, with the same filter */
export async function listAudit(
  scope: Scope,
  input: AuditFilter & { cursor?: string | undefined; limit: number },
): Promise<AuditPage> {
  const { cursor, limit, ...filter } = input;
  const rows = await scope.tx.auditLog.findMany({
    where: {
      ...auditWhere(scope.organizationId, filter),
      ...(cursor === undefined ? {} : { id: { lt: cursor } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
    select: {
      id: true,
      at: true,
      actorLabel: true,
      source: true,
      action: true,
      targetType: true,
      targetId: true,
      before: true,
      after: true,
    },
  });
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
