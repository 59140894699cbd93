import { setActiveOrganization as setActive } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { setActiveOrganizationInput } from './inputs.ts';

export const setActiveOrganization = procedure('signed-in')
  .input(setActiveOrganizationInput)
  .mutation(({ ctx, input }) =>
    inTransaction(ctx.backend.accounts, (tx) =>
      setActive(tx, {
        sessionId: ctx.session.sessionId,
        userId: ctx.session.user.id,
        organizationId: input.organizationId,
      }),
    ),
  );
