import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getOrganizationThroughputInput } from './get-organization-throughput.types.ts';

export const getOrganizationThroughput = procedure('cluster:read')
  .input(getOrganizationThroughputInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.queryOrganizationThroughput(scope, input)));
