import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { deleteTopicInput } from './delete-topic.types.ts';

export const deleteTopic = procedure('topic:write')
  .input(deleteTopicInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteTopic(scope, ctx.backend.metadata, input)));
