import { getAccountSecurity } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

export const getSecurity = procedure('signed-in').query(({ ctx }) =>
  inTransaction(ctx.backend.database, (tx) => getAccountSecurity(tx, ctx.session.user.id)),
);
