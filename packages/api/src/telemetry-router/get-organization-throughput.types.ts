import { getSeriesInput } from './get-series.types.ts';

export const getOrganizationThroughputInput = getSeriesInput.pick({ fromMs: true, toMs: true, maxPoints: true });
