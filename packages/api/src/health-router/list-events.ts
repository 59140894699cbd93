import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { listEventsInput } from './list-events.types.ts';

export const listEvents = procedure('cluster:read')
  .input(listEventsInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.listEvents(scope, input)));
