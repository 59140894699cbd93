import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const getForecast = procedure('billing:read').query(({ ctx }) => ctx.run(services.getForecast));
