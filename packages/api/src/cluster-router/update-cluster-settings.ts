import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { updateClusterSettingsInput } from './update-cluster-settings.types.ts';

export const updateClusterSettings = procedure('cluster:write')
  .input(updateClusterSettingsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.updateClusterSettings(scope, input)));
