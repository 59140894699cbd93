import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { revokeAgentKeyInput } from './revoke-agent-key.types.ts';

export const revokeAgentKey = procedure('agent-key:write')
  .input(revokeAgentKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.revokeAgentKey(scope, input)));
