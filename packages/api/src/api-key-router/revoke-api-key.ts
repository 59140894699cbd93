import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { revokeApiKeyInput } from './revoke-api-key.types.ts';

export const revokeApiKey = procedure('api-key:write')
  .input(revokeApiKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => identity.revokeApiKey(scope, input)));
