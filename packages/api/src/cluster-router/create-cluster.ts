import * as billing from '@penstock/billing';
import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { createClusterInput } from './create-cluster.types.ts';

export const createCluster = procedure('cluster:write')
  .input(createClusterInput)
  .mutation(({ ctx, input }) =>
    ctx.run((scope) => clusters.createCluster(scope, input, billing.assertMayCreateCluster)),
  );
