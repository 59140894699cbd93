import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { updateSsoInput } from './sso.types.ts';

export const updateSso = procedure('sso:write')
  .input(updateSsoInput)
  .mutation(({ ctx, input }) => {
    const { secretBox, isEmbedded } = ctx.backend;
    const tools = { secretBox, policy: { isLoopbackAllowed: isEmbedded } };
    return ctx.run((scope) => identity.updateSso(scope, input, tools));
  });
