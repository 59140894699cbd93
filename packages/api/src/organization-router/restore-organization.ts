import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { deletedOrganizationInput } from './deleted-organization.types.ts';

/** For the owners of a deleted organization; it does not exist for anybody else. */
export const restoreOrganization = procedure('signed-in')
  .input(deletedOrganizationInput)
  .mutation(({ ctx, input }) => {
    const { actor, now, backend } = ctx;
    const who = { actor, now, organizationId: input.organizationId };
    return services.inDeletedOrganization(backend.database, who, (scope) =>
      services.restoreOrganization(scope, { webUrl: backend.webUrl }),
    );
  });
