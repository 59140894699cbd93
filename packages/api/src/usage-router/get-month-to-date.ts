import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getMonthToDateInput } from './get-month-to-date.types.ts';

export const getMonthToDate = procedure('usage:read')
  .input(getMonthToDateInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.getMonthToDate(scope, input)));
