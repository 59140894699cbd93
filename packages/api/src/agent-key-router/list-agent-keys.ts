import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { listAgentKeysInput } from './list-agent-keys.types.ts';

export const listAgentKeys = procedure('agent-key:read')
  .input(listAgentKeysInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.listAgentKeys(scope, input)));
