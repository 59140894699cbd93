import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { resetOffsetsInput } from './reset-offsets.types.ts';

export const resetOffsets = procedure('topic:write')
  .input(resetOffsetsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.resetOffsets(scope, ctx.backend.metadata, input)));
