// The account of the person who is signed in.
import { getAccountSecurity, listAccountSessions, revokeAccountSession } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { z } from 'zod';
import { PERSONAL, TAKES_RIGHTS_AWAY } from '../operation/reasons.ts';
import { not, operations } from '../trpc/operations.ts';

const { mutation, query } = operations('Account');

export const accountOperations = {
  security: query({
    access: 'signed-in',
    run: ({ ctx }) => inTransaction(ctx.backend.accounts, (tx) => getAccountSecurity(tx, ctx.session.user.id)),
    rest: PERSONAL,
  }),
  sessions: query({
    access: 'signed-in',
    run: ({ ctx }) => {
      const { sessionId, user } = ctx.session;
      return inTransaction(ctx.backend.accounts, (tx) =>
        listAccountSessions(tx, { userId: user.id, sessionId }, ctx.now),
      );
    },
    rest: PERSONAL,
  }),
  revokeSession: mutation({
    access: 'signed-in',
    confirmation: not(TAKES_RIGHTS_AWAY),
    audit: 'account.revoke-session',
    input: z.object({ sessionId: z.string().max(64) }),
    run: ({ ctx, input }) => {
      const { address, now } = ctx;
      return inTransaction(ctx.backend.accounts, (tx) =>
        revokeAccountSession({ tx, userId: ctx.session.user.id, address, now }, input),
      );
    },
    rest: PERSONAL,
  }),
};
