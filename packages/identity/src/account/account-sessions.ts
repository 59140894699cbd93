// A user's sessions. Tokens stay in the database; a session is identified by its id.
import type { Transaction } from '@penstock/database/client';
import { notFound } from '@penstock/platform';
import { recordAccountEventIn } from './record-account-event.ts';

export interface AccountSession {
  id: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  isCurrent: boolean;
}

interface Reader {
  userId: string;
  sessionId: string;
}

export async function listAccountSessions(tx: Transaction, reader: Reader, now: Date): Promise<AccountSession[]> {
  const sessions = await tx.session.findMany({
    where: { userId: reader.userId, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true, userAgent: true, ipAddress: true, createdAt: true },
  });
  return sessions.map(({ id, userAgent, ipAddress, createdAt }) => ({
    id,
    userAgent,
    address: ipAddress,
    createdAt,
    isCurrent: id === reader.sessionId,
  }));
}

/**
 * Ends a session: its next request is refused, and the table's trigger ends its streams.
 * @throws AppError `session_not_found`, for other people's sessions too
 */
export async function revokeAccountSession(
  context: { tx: Transaction; userId: string; address: string; now: Date },
  input: { sessionId: string },
): Promise<void> {
  const { tx, userId, address, now } = context;
  const { count } = await tx.session.deleteMany({ where: { id: input.sessionId, userId } });
  if (count === 0) {
    throw notFound('session', 'It may have ended already. Reload the page.');
  }
  await recordAccountEventIn(tx, { userId, action: 'account.revoke-session', address }, now);
}
