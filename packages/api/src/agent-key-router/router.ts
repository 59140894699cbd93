import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import {
  agentAddressInput,
  createAgentKeyInput,
  listAgentKeysInput,
  revokeAgentKeyInput,
  updateAgentKeyInput,
} from './inputs.ts';

export const agentKeyRouter = router({
  create: procedure('agent-key:write', { confirmation: 'always' })
    .input(createAgentKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createAgentKey(scope, input))),
  list: procedure('agent-key:read')
    .input(listAgentKeysInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listAgentKeys(scope, input))),
  update: procedure('agent-key:write', { confirmation: 'always', clusterOf: clusters.clusterOfAgentKey })
    .input(updateAgentKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.updateAgentKey(scope, input))),
  revoke: procedure('agent-key:write', { clusterOf: clusters.clusterOfAgentKey })
    .input(revokeAgentKeyInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.revokeAgentKey(scope, input))),
  listAddresses: procedure('agent-key:read')
    .input(listAgentKeysInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listAgentAddresses(scope, input))),
  confirmAddress: procedure('agent-key:write', { confirmation: 'always' })
    .input(agentAddressInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.confirmAgentAddress(scope, input))),
  removeAddress: procedure('agent-key:write')
    .input(agentAddressInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.removeAgentAddress(scope, input))),
});
