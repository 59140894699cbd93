import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { alterTopicConfigsInput } from './alter-topic-configs.types.ts';

export const alterTopicConfigs = procedure('topic:write')
  .input(alterTopicConfigsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.alterTopicConfigs(scope, ctx.backend.metadata, input)));
