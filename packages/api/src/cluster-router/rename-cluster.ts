import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { renameClusterInput } from './rename-cluster.types.ts';

export const renameCluster = procedure('cluster:write')
  .input(renameClusterInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.renameCluster(scope, input)));
