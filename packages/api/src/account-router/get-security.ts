import { getAccountSecurity, inTransaction } from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const getSecurity = procedure('signed-in').query(({ ctx }) =>
  inTransaction(ctx.backend.database, (tx) => getAccountSecurity(tx, ctx.session.user.id)),
);
