import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import {
  getAgentDiagnosisInput,
  getAgentFiguresInput,
  getAgentReadingsInput,
  getClientSeriesInput,
  getMetricsInput,
  getOrganizationThroughputInput,
  getSeriesInput,
  listClientsInput,
} from './inputs.ts';

export const telemetryRouter = router({
  series: procedure('cluster:read')
    .input(getSeriesInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.queryClusterSeries(scope, input))),
  metrics: procedure('cluster:read')
    .input(getMetricsInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.queryClusterMetrics(scope, input))),
  agentReadings: procedure('cluster:read')
    .input(getAgentReadingsInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.sharedAgentReadings(scope, input))),
  agentFigures: procedure('cluster:read')
    .input(getAgentFiguresInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.sharedAgentFigures(scope, input))),
  agentDiagnosis: procedure('cluster:read')
    .input(getAgentDiagnosisInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.getAgentDiagnosis(scope, input))),
  clients: procedure('cluster:read')
    .input(listClientsInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listClients(scope, input))),
  clientSeries: procedure('cluster:read')
    .input(getClientSeriesInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.queryClientSeries(scope, input))),
  organizationThroughput: procedure('cluster:read', { isFiltered: true })
    .input(getOrganizationThroughputInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.queryOrganizationThroughput(scope, input, ctx.sees))),
});
