import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getClusterInput } from './get-cluster.types.ts';

export const getCluster = procedure('cluster:read')
  .input(getClusterInput)
  .query(({ ctx, input }) => services.getCluster(ctx.reading, input));
