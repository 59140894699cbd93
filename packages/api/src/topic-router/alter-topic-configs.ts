import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { alterTopicConfigsInput } from './alter-topic-configs.types.ts';

export const alterTopicConfigs = procedure('topic:write')
  .input(alterTopicConfigsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.alterTopicConfigs(scope, ctx.backend.metadata, input)));
