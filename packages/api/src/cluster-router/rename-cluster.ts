import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { renameClusterInput } from './rename-cluster.types.ts';

export const renameCluster = procedure('cluster:write')
  .input(renameClusterInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.renameCluster(scope, input)));
