import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { ssoDomainInput } from './sso.types.ts';

export const removeSsoDomain = procedure('sso:write')
  .input(ssoDomainInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.removeSsoDomain(scope, input)));
