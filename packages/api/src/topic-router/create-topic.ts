import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { createTopicInput } from './create-topic.types.ts';

export const createTopic = procedure('topic:write')
  .input(createTopicInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.createTopic(scope, ctx.backend.metadata, input)));
