import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getClusterInput } from './get-cluster.types.ts';

export const getCluster = procedure('cluster:read')
  .input(getClusterInput)
  .query(({ ctx, input }) => clusters.getCluster(ctx.reading, input));
