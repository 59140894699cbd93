import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getSeriesInput } from './get-series.types.ts';

export const getSeries = procedure('cluster:read')
  .input(getSeriesInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.queryClusterSeries(scope, input)));
