import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { restoreClusterInput } from './restore-cluster.types.ts';

export const restoreCluster = procedure('cluster:delete')
  .input(restoreClusterInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.restoreCluster(scope, input)));
