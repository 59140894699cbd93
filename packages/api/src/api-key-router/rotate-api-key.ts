import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { rotateApiKeyInput } from './rotate-api-key.types.ts';

export const rotateApiKey = procedure('api-key:write')
  .input(rotateApiKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => identity.rotateApiKey(scope, input)));
