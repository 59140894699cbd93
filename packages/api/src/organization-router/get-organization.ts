import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const getOrganization = procedure('organization:read').query(({ ctx }) => ctx.run(services.getOrganization));
