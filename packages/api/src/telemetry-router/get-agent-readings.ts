import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getAgentReadingsInput } from './get-agent-readings.types.ts';

export const getAgentReadings = procedure('cluster:read')
  .input(getAgentReadingsInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.sharedAgentReadings(scope, input)));
