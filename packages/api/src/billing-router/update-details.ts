import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { updateBillingDetailsInput } from './update-details.types.ts';

export const updateDetails = procedure('billing:write')
  .input(updateBillingDetailsInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => billing.updateBillingDetails(scope, input)));
