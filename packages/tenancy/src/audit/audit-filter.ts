// Which rows of the audit log are asked for. What is left out bounds nothing.
import type { Prisma } from '@penstock/database/client';

export interface AuditFilter {
  /** A part of what the row calls the actor, in any case, or the actor's exact id. */
  actor?: string | undefined;
  /** `cluster.rename`, or `cluster` for all that is done to clusters. */
  action?: string | undefined;
  targetType?: string | undefined;
  /** The exact id of what was changed. */
  target?: string | undefined;
  source?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** LIKE takes these two for wildcards. */
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
