import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { completePaymentSetupInput } from './complete-payment-setup.types.ts';

export const completePaymentSetup = procedure('billing:write')
  .input(completePaymentSetupInput)
  .mutation(async ({ ctx, input }) => ({
    isComplete: await services.completePaymentSetup(ctx.backend, ctx.tenant, input),
  }));
