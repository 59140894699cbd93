import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { deleteGroupInput } from './delete-group.types.ts';

export const deleteGroup = procedure('topic:write')
  .input(deleteGroupInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteGroup(scope, ctx.backend.metadata, input)));
