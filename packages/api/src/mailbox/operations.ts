// The mailbox of an installation on one machine.
import * as tenancy from '@penstock/tenancy';
import { operations } from '../trpc/operations.ts';

const { query } = operations('Mailbox');

export const mailboxOperations = {
  /** Open to everybody on purpose: it works only in embedded mode, where all mails belong to the machine's one user. */
  list: query({
    access: 'anyone',
    run: ({ ctx }) =>
      tenancy.inTransaction(ctx.backend.accounts, (tx) => tenancy.listMailbox(tx, ctx.backend.isEmbedded)),
    rest: 'It shows the mails of an installation on one machine, and answers nowhere else.',
  }),
};
