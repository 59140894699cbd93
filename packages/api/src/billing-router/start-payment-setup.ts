import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';

/** The URL of Stripe's page on which a card is entered. */
export const startPaymentSetup = procedure('billing:write').mutation(async ({ ctx }) => ({
  url: await billing.startPaymentSetup(ctx.backend, ctx.tenant),
}));
