import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { ssoDomainInput } from './sso.types.ts';

export const removeSsoDomain = procedure('sso:write')
  .input(ssoDomainInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => identity.removeSsoDomain(scope, input)));
