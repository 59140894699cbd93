import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { listEventsInput } from './list-events.types.ts';

export const listEvents = procedure('cluster:read')
  .input(listEventsInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.listEvents(scope, input)));
