import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { createClusterInput } from './create-cluster.types.ts';

export const createCluster = procedure('cluster:write')
  .input(createClusterInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.createCluster(scope, input)));
