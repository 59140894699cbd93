import { router } from '../trpc/trpc.ts';
import { getMonthToDate } from './get-month-to-date.ts';

export const usageRouter = router({ monthToDate: getMonthToDate });
