import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import { createAgentKeyInput, listAgentKeysInput, revokeAgentKeyInput } from './inputs.ts';

export const agentKeyRouter = router({
  create: procedure('agent-key:write')
    .input(createAgentKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createAgentKey(scope, input))),
  list: procedure('agent-key:read')
    .input(listAgentKeysInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listAgentKeys(scope, input))),
  revoke: procedure('agent-key:write', { clusterOf: clusters.clusterOfAgentKey })
    .input(revokeAgentKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.revokeAgentKey(scope, input))),
});
