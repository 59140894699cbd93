// Filters for the audit log. An omitted field does not filter.
import type { Prisma } from '@penstock/database/client';

export interface AuditFilter {
  /** Part of the actor's label, case-insensitive, or the actor's exact id. */
  actor?: string | undefined;
  /** `cluster.rename`, or `cluster` for every action on clusters. */
  action?: string | undefined;
  targetType?: string | undefined;
  /** The exact id of what was changed. */
  target?: string | undefined;
  source?: string | undefined;
  from?: Date | undefined;
  /** End of the range, exclusive. */
  to?: Date | undefined;
}

/** Escapes the two wildcards of LIKE. */
function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
}

/** The condition, within one organization. */
export function auditWhere(organizationId: string, filter: AuditFilter): Prisma.AuditLogWhereInput {
  const { actor, action, targetType, target, source, from, to } = filter;
  return {
    organizationId,
    ...(actor === undefined
      ? {}
      : { OR: [{ actorLabel: { contains: literally(actor), mode: 'insensitive' } }, { actorId: actor }] }),
    ...(action === undefined ? {} : { action: action.includes('.') ? action : { startsWith: `${action}.` } }),
    ...(targetType === undefined ? {} : { targetType }),
    ...(target === undefined ? {} : { targetId: target }),
    ...(source === undefined ? {} : { source }),
    ...(from === undefined && to === undefined
      ? {}
      : { at: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) } }),
  };
}
