import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import {
  alterTopicConfigsInput,
  createBrowseTokenInput,
  createTopicInput,
  deleteTopicInput,
  listTopicConfigsInput,
} from './inputs.ts';

export const topicRouter = router({
  create: procedure('topic:write')
    .input(createTopicInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createTopic(scope, ctx.backend.metadata, input))),
  delete: procedure('topic:write', { confirmation: 'always' })
    .input(deleteTopicInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteTopic(scope, ctx.backend.metadata, input))),
  configs: procedure('cluster:read')
    .input(listTopicConfigsInput)
    .query(({ ctx, input }) => clusters.listTopicConfigs(ctx.reading, ctx.backend, input)),
  alterConfigs: procedure('topic:write', { confirmation: 'for-deleting-records' })
    .input(alterTopicConfigsInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.alterTopicConfigs(scope, ctx.backend.metadata, input))),
  createBrowseToken: procedure('record:read')
    .input(createBrowseTokenInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createBrowseToken(scope, ctx.backend, input))),
});
