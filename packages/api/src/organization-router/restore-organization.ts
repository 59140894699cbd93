import * as lifecycle from '@penstock/lifecycle';
import { procedure } from '../trpc/trpc.ts';
import { deletedOrganizationInput } from './deleted-organization.types.ts';

/** For the owners of a deleted organization; it does not exist for anybody else. */
export const restoreOrganization = procedure('signed-in')
  .input(deletedOrganizationInput)
  .mutation(({ ctx, input }) => {
    const { actor, now, backend } = ctx;
    const who = { actor, now, organizationId: input.organizationId };
    return lifecycle.inDeletedOrganization(backend.database, who, (scope) =>
      lifecycle.restoreOrganization(scope, { webUrl: backend.webUrl }),
    );
  });
