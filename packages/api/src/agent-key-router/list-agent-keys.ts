import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { listAgentKeysInput } from './list-agent-keys.types.ts';

export const listAgentKeys = procedure('agent-key:read')
  .input(listAgentKeysInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.listAgentKeys(scope, input)));
