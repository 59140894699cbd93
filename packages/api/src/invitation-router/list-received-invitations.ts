import { listReceivedInvitations as list } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

export const listReceivedInvitations = procedure('signed-in').query(({ ctx }) =>
  inTransaction(ctx.backend.database, (tx) => list(tx, { userId: ctx.session.user.id, now: ctx.now })),
);
