import * as billing from '@penstock/billing';
import * as tenancy from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';
import {
  completePaymentSetupInput,
  exportInvoiceInput,
  getInvoiceInput,
  getLineOriginInput,
  listInvoicesInput,
  payInvoiceByCardInput,
  updateBillingDetailsInput,
  updateBudgetInput,
  updateWebhookInput,
} from './inputs.ts';

export const billingRouter = router({
  account: procedure('billing:read').query(({ ctx }) =>
    ctx.run((scope) => billing.getBillingAccount(scope, { isStripeConfigured: ctx.backend.stripe !== undefined })),
  ),
  /** The running month. */
  draft: procedure('billing:read').query(({ ctx }) => ctx.run((scope) => billing.getDraftInvoice(scope, {}))),
  /** The running month. */
  monthByDay: procedure('billing:read').query(({ ctx }) => ctx.run((scope) => billing.getMonthByDay(scope, {}))),
  forecast: procedure('billing:read').query(({ ctx }) => ctx.run(billing.getForecast)),
  /** What is left, and the entries that made it. */
  credits: procedure('billing:read').query(({ ctx }) =>
    ctx.run(async (scope) => ({
      balanceUsd: await billing.creditBalance(scope),
      entries: await billing.listCreditEntries(scope),
    })),
  ),
  listInvoices: procedure('billing:read')
    .input(listInvoicesInput)
    .query(({ ctx, input }) => ctx.run((scope) => billing.listInvoices(scope, input))),
  getInvoice: procedure('billing:read')
    .input(getInvoiceInput)
    .query(({ ctx, input }) => ctx.run((scope) => billing.getInvoice(scope, input))),
  lineOrigin: procedure('billing:read')
    .input(getLineOriginInput)
    .query(({ ctx, input }) => ctx.run((scope) => billing.getLineOrigin(scope, input))),
  /** A file for download; for route handlers of this process. */
  exportInvoice: procedure('billing:read')
    .input(exportInvoiceInput)
    .query(({ ctx, input }) => ctx.run((scope) => billing.exportInvoice(scope, input, ctx.backend.invoiceSettings))),
  budget: procedure('billing:read').query(({ ctx }) => ctx.run(billing.getBudget)),
  /** The URL may hold a secret of the receiver, hence not for whoever may only read. */
  webhook: procedure('billing:write').query(({ ctx }) => ctx.run(tenancy.getWebhook)),
  updateBudget: procedure('billing:write')
    .input(updateBudgetInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => billing.updateBudget(scope, input, ctx.backend.webUrl))),
  updateWebhook: procedure('billing:write')
    .input(updateWebhookInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) =>
        tenancy.updateWebhook(scope, { url: input.webhookUrl }, { isLoopbackAllowed: ctx.backend.isEmbedded }),
      ),
    ),
  sendTestWebhook: procedure('billing:write').mutation(({ ctx }) => ctx.run(tenancy.sendTestWebhook)),
  updateDetails: procedure('billing:write')
    .input(updateBillingDetailsInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => billing.updateBillingDetails(scope, input))),
  /** The URL of Stripe's page on which a card is entered. */
  startPaymentSetup: procedure('billing:write').mutation(async ({ ctx }) => ({
    url: await billing.startPaymentSetup(ctx.backend, ctx.tenant),
  })),
  completePaymentSetup: procedure('billing:write')
    .input(completePaymentSetupInput)
    .mutation(async ({ ctx, input }) => ({
      isComplete: await billing.completePaymentSetup(ctx.backend, ctx.tenant, input),
    })),
  /** The URL of Stripe's page with the customer's cards and receipts. */
  openPaymentPortal: procedure('billing:write').mutation(async ({ ctx }) => ({
    url: await billing.openPaymentPortal(ctx.backend, ctx.tenant),
  })),
  /** Has an open invoice that was to be paid by transfer collected from the card. */
  payInvoiceByCard: procedure('billing:write')
    .input(payInvoiceByCardInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) =>
        billing.payInvoiceByCard(scope, input, { isStripeConfigured: ctx.backend.stripe !== undefined }),
      ),
    ),
});
