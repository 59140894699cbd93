import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getMetricsInput } from './get-metrics.types.ts';

export const getMetrics = procedure('cluster:read')
  .input(getMetricsInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.queryClusterMetrics(scope, input)));
