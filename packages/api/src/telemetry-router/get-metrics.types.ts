import { metrics } from '@penstock/telemetry';
import { z } from 'zod';
import { getSeriesInput } from './get-series.types.ts';

export const getMetricsInput = getSeriesInput
  .omit({ metric: true })
  .extend({ metrics: z.array(z.enum(metrics)).min(1).max(metrics.length) });
