import { revokeAccountSession } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { revokeSessionInput } from './revoke-session.types.ts';

export const revokeSession = procedure('signed-in')
  .input(revokeSessionInput)
  .mutation(({ ctx, input }) => {
    const { address, now } = ctx;
    return inTransaction(ctx.backend.database, (tx) =>
      revokeAccountSession({ tx, userId: ctx.session.user.id, address, now }, input),
    );
  });
