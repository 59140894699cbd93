import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { completePaymentSetupInput } from './complete-payment-setup.types.ts';

export const completePaymentSetup = procedure('billing:write')
  .input(completePaymentSetupInput)
  .mutation(async ({ ctx, input }) => ({
    isComplete: await billing.completePaymentSetup(ctx.backend, ctx.tenant, input),
  }));
