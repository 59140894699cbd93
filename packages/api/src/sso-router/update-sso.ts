import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { updateSsoInput } from './sso.types.ts';

export const updateSso = procedure('sso:write')
  .input(updateSsoInput)
  .mutation(({ ctx, input }) => {
    const { secretBox, isEmbedded } = ctx.backend;
    const tools = { secretBox, policy: { isLoopbackAllowed: isEmbedded } };
    return ctx.run((scope) => services.updateSso(scope, input, tools));
  });
