import { listDeletedOrganizations as list } from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

/** Those that the person owned. */
export const listDeletedOrganizations = procedure('signed-in').query(({ ctx }) =>
  ctx.session.ssoOrganizationId === null
    ? inTransaction(ctx.backend.database, (tx) => list(tx, ctx.session.user.id, ctx.now))
    : [],
);
