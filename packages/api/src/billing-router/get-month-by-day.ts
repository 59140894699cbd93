import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';

/** The running month. */
export const getMonthByDay = procedure('billing:read').query(({ ctx }) =>
  ctx.run((scope) => billing.getMonthByDay(scope, {})),
);
