import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';

export const listDeletedClusters = procedure('cluster:read').query(({ ctx }) => ctx.run(clusters.listDeletedClusters));
