import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { payInvoiceByCardInput } from './pay-invoice-by-card.types.ts';

/** Has an open invoice that was to be paid by transfer collected from the card. */
export const payInvoiceByCard = procedure('billing:write')
  .input(payInvoiceByCardInput)
  .mutation(({ ctx, input }) =>
    ctx.run((scope) =>
      billing.payInvoiceByCard(scope, input, { isStripeConfigured: ctx.backend.stripe !== undefined }),
    ),
  );
