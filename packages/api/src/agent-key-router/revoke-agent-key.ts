import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { revokeAgentKeyInput } from './revoke-agent-key.types.ts';

export const revokeAgentKey = procedure('agent-key:write')
  .input(revokeAgentKeyInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.revokeAgentKey(scope, input)));
