import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const getBudget = procedure('billing:read').query(({ ctx }) => ctx.run(services.getBudget));
