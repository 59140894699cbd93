import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { restoreClusterInput } from './restore-cluster.types.ts';

export const restoreCluster = procedure('cluster:delete')
  .input(restoreClusterInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.restoreCluster(scope, input)));
