import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { createApiKeyInput } from './create-api-key.types.ts';

export const createApiKey = procedure('api-key:write')
  .input(createApiKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => identity.createApiKey(scope, input)));
