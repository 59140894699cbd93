import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getHealthInput } from './get-health.types.ts';

export const getHealth = procedure('cluster:read')
  .input(getHealthInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.getClusterHealth(scope, input)));
