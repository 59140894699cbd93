import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import { deleteGroupInput, resetOffsetsInput } from './inputs.ts';

export const groupRouter = router({
  resetOffsets: procedure('topic:write')
    .input(resetOffsetsInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.resetOffsets(scope, ctx.backend.metadata, input))),
  previewReset: procedure('cluster:read')
    .input(resetOffsetsInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.previewResetOffsets(scope, ctx.backend.metadata, input))),
  delete: procedure('topic:write')
    .input(deleteGroupInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteGroup(scope, ctx.backend.metadata, input))),
});
