import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { addSsoDomainInput } from './sso.types.ts';

export const addSsoDomain = procedure('sso:write')
  .input(addSsoDomainInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => identity.addSsoDomain(scope, input)));
