import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { endSilenceInput } from './end-silence.types.ts';

export const endSilence = procedure('cluster:write')
  .input(endSilenceInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.endSilence(scope, input)));
