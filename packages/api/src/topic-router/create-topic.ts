import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { createTopicInput } from './create-topic.types.ts';

export const createTopic = procedure('topic:write')
  .input(createTopicInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createTopic(scope, ctx.backend.metadata, input)));
