import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { ssoDomainInput } from './sso.types.ts';

export const verifySsoDomain = procedure('sso:write')
  .input(ssoDomainInput)
  .mutation(({ ctx, input }) => services.verifySsoDomain((work) => ctx.run(work), input));
