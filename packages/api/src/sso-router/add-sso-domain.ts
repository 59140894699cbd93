import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { addSsoDomainInput } from './sso.types.ts';

export const addSsoDomain = procedure('sso:write')
  .input(addSsoDomainInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.addSsoDomain(scope, input)));
