import { leaveOrganization as leave } from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const leaveOrganization = procedure('organization:read').mutation(({ ctx }) => ctx.run(leave));
