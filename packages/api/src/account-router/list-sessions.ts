import { listAccountSessions } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

export const listSessions = procedure('signed-in').query(({ ctx }) => {
  const { sessionId, user } = ctx.session;
  return inTransaction(ctx.backend.database, (tx) => listAccountSessions(tx, { userId: user.id, sessionId }, ctx.now));
});
