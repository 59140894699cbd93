import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getSeriesInput } from './get-series.types.ts';

export const getSeries = procedure('cluster:read')
  .input(getSeriesInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.queryClusterSeries(scope, input)));
