import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const listClusters = procedure('cluster:read').query(({ ctx }) => services.listClusters(ctx.reading));
