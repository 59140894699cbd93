import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { exportMetricsInput } from './export-metrics.types.ts';

export const exportMetrics = procedure('cluster:read')
  .input(exportMetricsInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.exportMetrics(scope, ctx.backend.metadata, input)));
