import * as tenancy from '@penstock/tenancy';
import { inTransaction } from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';

export const mailboxRouter = router({
  /** Open to everybody on purpose: it works only in embedded mode, where all mails belong to the machine's one user. */
  list: procedure('anyone').query(({ ctx }) =>
    inTransaction(ctx.backend.accounts, (tx) => tenancy.listMailbox(tx, ctx.backend.isEmbedded)),
  ),
});
