import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { createSilenceInput } from './create-silence.types.ts';

export const createSilence = procedure('cluster:write')
  .input(createSilenceInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createSilence(scope, input)));
