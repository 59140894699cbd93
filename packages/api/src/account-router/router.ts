import { getAccountSecurity, listAccountSessions, revokeAccountSession } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { z } from 'zod';
import { procedure, router } from '../trpc/trpc.ts';

const revokeSessionInput = z.object({ sessionId: z.string().max(64) });

export const accountRouter = router({
  security: procedure('signed-in').query(({ ctx }) =>
    inTransaction(ctx.backend.accounts, (tx) => getAccountSecurity(tx, ctx.session.user.id)),
  ),
  sessions: procedure('signed-in').query(({ ctx }) => {
    const { sessionId, user } = ctx.session;
    return inTransaction(ctx.backend.accounts, (tx) =>
      listAccountSessions(tx, { userId: user.id, sessionId }, ctx.now),
    );
  }),
  revokeSession: procedure('signed-in')
    .input(revokeSessionInput)
    .mutation(({ ctx, input }) => {
      const { address, now } = ctx;
      return inTransaction(ctx.backend.accounts, (tx) =>
        revokeAccountSession({ tx, userId: ctx.session.user.id, address, now }, input),
      );
    }),
});
