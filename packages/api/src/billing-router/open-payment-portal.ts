import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';

/** The URL of Stripe's page with the customer's cards and receipts. */
export const openPaymentPortal = procedure('billing:write').mutation(async ({ ctx }) => ({
  url: await billing.openPaymentPortal(ctx.backend, ctx.tenant),
}));
