import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { viewClusterInput } from './view-cluster.types.ts';

export const viewCluster = procedure('cluster:read')
  .input(viewClusterInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.viewCluster(scope, ctx.backend.metadata, input)));
