import { inTransaction, listMailbox as list } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

/** Open to everybody on purpose: it answers in embedded mode alone, where the mails are those of the machine's one user. */
export const listMailbox = procedure('anyone').query(({ ctx }) =>
  inTransaction(ctx.backend.database, (tx) => list(tx, ctx.backend.isEmbedded)),
);
