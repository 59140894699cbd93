import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

/** The running month. */
export const getDraft = procedure('billing:read').query(({ ctx }) =>
  ctx.run((scope) => services.getDraftInvoice(scope, {})),
);
