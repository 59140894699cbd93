import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getAgentFiguresInput } from './get-agent-figures.types.ts';

export const getAgentFigures = procedure('cluster:read')
  .input(getAgentFiguresInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.sharedAgentFigures(scope, input)));
