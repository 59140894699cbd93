import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const listDeletedClusters = procedure('cluster:read').query(({ ctx }) => ctx.run(services.listDeletedClusters));
