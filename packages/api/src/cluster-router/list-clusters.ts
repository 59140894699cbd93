import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';

export const listClusters = procedure('cluster:read').query(({ ctx }) => clusters.listClusters(ctx.reading));
