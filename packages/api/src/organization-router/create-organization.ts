import { setActiveOrganization } from '@penstock/identity';
import { createOrganization as create } from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { createOrganizationInput } from './inputs.ts';

export const createOrganization = procedure('signed-in')
  .input(createOrganizationInput)
  .mutation(({ ctx, input }) => {
    const { session, actor, now } = ctx;
    return inTransaction(ctx.backend.accounts, async (tx) => {
      const organization = await create({ tx, actor, now }, { name: input.name, ownerId: session.user.id });
      await setActiveOrganization(tx, {
        sessionId: session.sessionId,
        userId: session.user.id,
        organizationId: organization.id,
      });
      return organization;
    });
  });
