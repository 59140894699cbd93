import { acceptInvitation as accept, listClosedMemberships, setActiveOrganization } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { acceptInvitationInput } from './inputs.ts';

export const acceptInvitation = procedure('signed-in')
  .input(acceptInvitationInput)
  .mutation(({ ctx, input }) => {
    const { session, actor, now } = ctx;
    return inTransaction(ctx.backend.accounts, async (tx) => {
      const { organizationId } = await accept({ tx, actor, now }, { userId: session.user.id, reference: input });
      await setActiveOrganization(tx, {
        sessionId: session.sessionId,
        userId: session.user.id,
        organizationId,
      });
      const { behindTwoFactor } = await listClosedMemberships(tx, session.user.id);
      return {
        organizationId,
        /** Whether the organization opens only once the user has set up two-factor sign-in. */
        isTwoFactorDue: behindTwoFactor.some((membership) => membership.organizationId === organizationId),
      };
    });
  });
