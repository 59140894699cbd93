// Reads, and is a mutation all the same: a query's input stands in the URL, where the token must not be.
import { previewInvitation as preview } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { previewInvitationInput } from './preview-invitation.types.ts';

export const previewInvitation = procedure('anyone')
  .input(previewInvitationInput)
  .mutation(({ ctx, input }) =>
    inTransaction(ctx.backend.database, (tx) => preview(tx, { token: input.token, now: ctx.now })),
  );
