import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getAgentFiguresInput } from './get-agent-figures.types.ts';

export const getAgentFigures = procedure('cluster:read')
  .input(getAgentFiguresInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.sharedAgentFigures(scope, input)));
