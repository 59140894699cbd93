import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { resetOffsetsInput } from './reset-offsets.types.ts';

export const resetOffsets = procedure('topic:write')
  .input(resetOffsetsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.resetOffsets(scope, ctx.backend.metadata, input)));
