import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import {
  chooseRecipientInput,
  createSilenceInput,
  endSilenceInput,
  exportMetricsInput,
  getHealthInput,
  listEventsInput,
} from './inputs.ts';

export const healthRouter = router({
  get: procedure('cluster:read')
    .input(getHealthInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.getClusterHealth(scope, input))),
  levels: procedure('cluster:read', { isFiltered: true }).query(async ({ ctx }) =>
    (await ctx.run(clusters.listClusterHealth)).filter(({ clusterId }) => ctx.sees(clusterId)),
  ),
  events: procedure('cluster:read')
    .input(listEventsInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listEvents(scope, input))),
  metrics: procedure('cluster:read')
    .input(exportMetricsInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.exportMetrics(scope, ctx.backend.metadata, input))),
  chooseRecipient: procedure('cluster:write', { isOrganizationWide: true })
    .input(chooseRecipientInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.chooseRecipient(scope, input))),
  createSilence: procedure('silence:write')
    .input(createSilenceInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createSilence(scope, input))),
  endSilence: procedure('silence:write', { clusterOf: clusters.clusterOfSilence })
    .input(endSilenceInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.endSilence(scope, input))),
});
