import * as identity from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { inviteMemberInput, previewInvitationInput, revokeInvitationInput } from './inputs.ts';

export const invitationRouter = router({
  create: procedure('member:write', { confirmation: 'for-roles-above-viewer' })
    .input(inviteMemberInput)
    .mutation(async ({ ctx, input }) => {
      const { backend, tenant } = ctx;
      await identity.limitInvitations(
        backend.accounts,
        { email: input.email, inviterId: tenant.actor.id ?? tenant.organizationId },
        ctx.now,
      );
      return ctx.run((scope) => identity.inviteMember(scope, backend.webUrl, input));
    }),
  list: procedure('member:write').query(({ ctx }) => ctx.run(identity.listInvitations)),
  listReceived: procedure('signed-in').query(({ ctx }) =>
    inTransaction(ctx.backend.accounts, (tx) =>
      identity.listReceivedInvitations(tx, { userId: ctx.session.user.id, now: ctx.now }),
    ),
  ),
  /** A mutation although it only reads: a query's input would appear in the URL, and the token must not. */
  preview: procedure('anyone')
    .input(previewInvitationInput)
    .mutation(({ ctx, input }) =>
      inTransaction(ctx.backend.accounts, (tx) => identity.previewInvitation(tx, { token: input.token, now: ctx.now })),
    ),
  accept: acceptInvitation,
  revoke: procedure('member:write')
    .input(revokeInvitationInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.revokeInvitation(scope, input))),
});
