import { router } from '../trpc/trpc.ts';
import { getAgentDiagnosis } from './get-agent-diagnosis.ts';
import { getAgentFigures } from './get-agent-figures.ts';
import { getAgentReadings } from './get-agent-readings.ts';
import { getMetrics } from './get-metrics.ts';
import { getOrganizationThroughput } from './get-organization-throughput.ts';
import { getSeries } from './get-series.ts';

export const telemetryRouter = router({
  series: getSeries,
  metrics: getMetrics,
  agentReadings: getAgentReadings,
  agentFigures: getAgentFigures,
  agentDiagnosis: getAgentDiagnosis,
  organizationThroughput: getOrganizationThroughput,
});
