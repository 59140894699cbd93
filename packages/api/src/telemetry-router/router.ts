import { router } from '../trpc/trpc.ts';
import { getAgentReadings } from './get-agent-readings.ts';
import { getSeries } from './get-series.ts';

export const telemetryRouter = router({ series: getSeries, agentReadings: getAgentReadings });
