// How long sessions of an organization's members last.
import type { Transaction } from '@penstock/database/client';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { MAX_SESSION_DAYS } from './session-lifetime-input.ts';

export interface SessionLifetime {
  /** Days from the sign-in, however the session is used. */
  days: number;
}

export async function getSessionLifetime({ tx, organizationId }: Scope): Promise<SessionLifetime> {
  const { sessionDays } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { sessionDays: true },
  });
  return { days: sessionDays };
}

/** Sessions that are older end with their next request. */
export async function setSessionLifetime(scope: Scope, { days }: SessionLifetime): Promise<SessionLifetime> {
  const { tx, organizationId } = scope;
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const before = await getSessionLifetime(scope);
  if (before.days === days) {
    return before;
  }
  await tx.organization.update({ where: { id: organizationId }, data: { sessionDays: days }, select: { id: true } });
  await recordAudit(scope, {
    action: 'organization.set-session-lifetime',
    targetType: 'organization',
    targetId: organizationId,
    before: { sessionDays: before.days },
    after: { sessionDays: days },
  });
  return { days };
}

/**
 * The lifetime of a user's sessions: the shortest of their organizations. A session opens all of them, so it ends as a
 * whole.
 */
export async function sessionDaysOf(tx: Transaction, userId: string): Promise<number> {
  const { _min: shortest } = await tx.organization.aggregate({
    where: { deletedAt: null, members: { some: { userId } } },
    _min: { sessionDays: true },
  });
  return shortest.sessionDays ?? MAX_SESSION_DAYS;
}
