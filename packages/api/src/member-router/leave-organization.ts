import { leaveOrganization as leave } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

export const leaveOrganization = procedure('organization:read').mutation(({ ctx }) => ctx.run(leave));
