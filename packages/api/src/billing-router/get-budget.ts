import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';

export const getBudget = procedure('billing:read').query(({ ctx }) => ctx.run(billing.getBudget));
