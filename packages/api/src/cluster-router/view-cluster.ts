import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { viewClusterInput } from './view-cluster.types.ts';

export const viewCluster = procedure('cluster:read')
  .input(viewClusterInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.viewCluster(scope, ctx.backend.metadata, input)));
