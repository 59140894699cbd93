import * as identity from '@penstock/identity';
import { procedure, router } from '../trpc/trpc.ts';
import { createApiKeyInput, revokeApiKeyInput, rotateApiKeyInput } from './inputs.ts';

export const apiKeyRouter = router({
  create: procedure('api-key:write', { confirmation: 'always' })
    .input(createApiKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.createApiKey(scope, input))),
  list: procedure('api-key:read').query(({ ctx }) => ctx.run(identity.listApiKeys)),
  /** Open to every role: a key may read itself. */
  current: procedure('organization:read').query(({ ctx }) => ctx.run(identity.getCurrentApiKey)),
  rotate: procedure('api-key:write', { confirmation: 'always' })
    .input(rotateApiKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.rotateApiKey(scope, input))),
  revoke: procedure('api-key:write')
    .input(revokeApiKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.revokeApiKey(scope, input))),
});
