import * as billing from '@penstock/billing';
import { z } from 'zod';
import { procedure, router } from '../trpc/trpc.ts';

/** The whole organization if no cluster is given. */
const getMonthToDateInput = z.object({ clusterId: z.uuid().optional() });

export const usageRouter = router({
  monthToDate: procedure('usage:read')
    .input(getMonthToDateInput)
    .query(({ ctx, input }) => ctx.run((scope) => billing.getMonthToDate(scope, input))),
});
