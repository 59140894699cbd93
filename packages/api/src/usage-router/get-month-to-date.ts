import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { getMonthToDateInput } from './get-month-to-date.types.ts';

export const getMonthToDate = procedure('usage:read')
  .input(getMonthToDateInput)
  .query(({ ctx, input }) => ctx.run((scope) => billing.getMonthToDate(scope, input)));
