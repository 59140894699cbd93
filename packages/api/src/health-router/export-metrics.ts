import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { exportMetricsInput } from './export-metrics.types.ts';

export const exportMetrics = procedure('cluster:read')
  .input(exportMetricsInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.exportMetrics(scope, ctx.backend.metadata, input)));
