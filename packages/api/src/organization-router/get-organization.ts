import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

export const getOrganization = procedure('organization:read').query(({ ctx }) => ctx.run(identity.getOrganization));
