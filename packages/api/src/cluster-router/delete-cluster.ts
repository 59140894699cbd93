import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { deleteClusterInput } from './delete-cluster.types.ts';

export const deleteCluster = procedure('cluster:delete')
  .input(deleteClusterInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteCluster(scope, input)));
