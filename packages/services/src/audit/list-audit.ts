// The audit log of an organization, newest first, page by page.
import type { Scope } from '../access/scope.ts';

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

/** @param input.cursor `nextCursor` of the page before */
export async function listAudit(
  scope: Scope,
  input: { cursor?: string | undefined; limit: number },
): Promise<AuditPage> {
  const rows = await scope.tx.auditLog.findMany({
    where: {
      organizationId: scope.organizationId,
      ...(input.cursor === undefined ? {} : { id: { lt: input.cursor } }),
    },
    orderBy: { id: 'desc' },
    take: input.limit + 1,
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
  const page = rows.slice(0, input.limit);
  return { rows: page, nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null };
}
