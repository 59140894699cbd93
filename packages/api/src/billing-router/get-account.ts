import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const getAccount = procedure('billing:read').query(({ ctx }) =>
  ctx.run((scope) => services.getBillingAccount(scope, { isStripeConfigured: ctx.backend.stripe !== undefined })),
);
