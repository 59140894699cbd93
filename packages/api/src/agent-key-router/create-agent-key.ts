import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { createAgentKeyInput } from './create-agent-key.types.ts';

export const createAgentKey = procedure('agent-key:write')
  .input(createAgentKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createAgentKey(scope, input)));
