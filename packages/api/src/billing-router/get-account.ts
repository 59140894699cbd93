import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';

export const getAccount = procedure('billing:read').query(({ ctx }) =>
  ctx.run((scope) => billing.getBillingAccount(scope, { isStripeConfigured: ctx.backend.stripe !== undefined })),
);
