import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { getOrganizationThroughputInput } from './get-organization-throughput.types.ts';

export const getOrganizationThroughput = procedure('cluster:read')
  .input(getOrganizationThroughputInput)
  .query(({ ctx, input }) => ctx.run((scope) => clusters.queryOrganizationThroughput(scope, input)));
