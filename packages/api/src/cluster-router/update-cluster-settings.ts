import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { updateClusterSettingsInput } from './update-cluster-settings.types.ts';

export const updateClusterSettings = procedure('cluster:write')
  .input(updateClusterSettingsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.updateClusterSettings(scope, input)));
