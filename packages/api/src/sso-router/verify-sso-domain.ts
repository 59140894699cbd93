import * as identity from '@penstock/identity';
import * as tenancy from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { ssoDomainInput } from './sso.types.ts';

export const verifySsoDomain = procedure('sso:write')
  .input(ssoDomainInput)
  .mutation(({ ctx, input }) => {
    const { backend, tenant, run } = ctx;
    // What comes before the change: an outcome that is kept for a repetition is that of the change alone.
    const read: typeof run = (work) =>
      tenancy.inTenant(backend.database, tenant.organizationId, (tx) => work({ ...tenant, tx }));
    return identity.verifySsoDomain({ read, change: run }, input);
  });
