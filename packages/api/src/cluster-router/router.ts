import * as billing from '@penstock/billing';
import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import {
  createClusterInput,
  deleteClusterInput,
  getClusterInput,
  previewClusterModesInput,
  renameClusterInput,
  restoreClusterInput,
  updateClusterSettingsInput,
  viewClusterInput,
} from './inputs.ts';
import { readLivePart, readNamedLivePart } from './read-live-part.ts';
import { watchCluster } from './watch-cluster.ts';

export const clusterRouter = router({
  create: procedure('cluster:write', { isOrganizationWide: true })
    .input(createClusterInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) => clusters.createCluster(scope, input, billing.assertMayCreateCluster)),
    ),
  list: procedure('cluster:read', { isFiltered: true }).query(async ({ ctx }) =>
    (await clusters.listClusters(ctx.reading)).filter(({ id }) => ctx.sees(id)),
  ),
  listDeleted: procedure('cluster:read', { isFiltered: true }).query(async ({ ctx }) =>
    (await ctx.run(clusters.listDeletedClusters)).filter(({ id }) => ctx.sees(id)),
  ),
  get: procedure('cluster:read')
    .input(getClusterInput)
    .query(({ ctx, input }) => clusters.getCluster(ctx.reading, input)),
  rename: procedure('cluster:write')
    .input(renameClusterInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.renameCluster(scope, input))),
  updateSettings: procedure('cluster:write', { confirmation: 'for-less-protection' })
    .input(updateClusterSettingsInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) => clusters.updateClusterSettings(scope, ctx.backend.metadata, input)),
    ),
  modes: procedure('cluster:read', { isFiltered: true }).query(({ ctx }) =>
    ctx.run(async ({ now }) => clusters.clusterModeOffers(now)),
  ),
  previewModes: procedure('cluster:read')
    .input(previewClusterModesInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.previewClusterModes(scope, ctx.backend.metadata, input))),
  delete: procedure('cluster:delete', { confirmation: 'always' })
    .input(deleteClusterInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteCluster(scope, input))),
  restore: procedure('cluster:delete')
    .input(restoreClusterInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.restoreCluster(scope, input))),
  view: procedure('cluster:read')
    .input(viewClusterInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.viewCluster(scope, ctx.backend.metadata, input))),
  summary: readLivePart('summary'),
  throughput: readLivePart('throughput'),
  agents: readLivePart('agents'),
  topics: readLivePart('topics'),
  groups: readLivePart('groups'),
  topic: readNamedLivePart('topic'),
  group: readNamedLivePart('group'),
  consumers: readNamedLivePart('consumers'),
  watch: watchCluster,
});
