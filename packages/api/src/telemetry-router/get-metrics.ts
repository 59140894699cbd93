import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getMetricsInput } from './get-metrics.types.ts';

export const getMetrics = procedure('cluster:read')
  .input(getMetricsInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.queryClusterMetrics(scope, input)));
