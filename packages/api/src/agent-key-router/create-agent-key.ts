import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { createAgentKeyInput } from './create-agent-key.types.ts';

export const createAgentKey = procedure('agent-key:write')
  .input(createAgentKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.createAgentKey(scope, input)));
