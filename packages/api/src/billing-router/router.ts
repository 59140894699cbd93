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
  /** The current month. */
  draft: procedure('billing:read').query(({ ctx }) => ctx.run((scope) => billing.getDraftInvoice(scope, {}))),
  /** The current month. */
  monthByDay: procedure('billing:read').query(({ ctx }) => ctx.run((scope) => billing.getMonthByDay(scope, {}))),
  forecast: procedure('billing:read').query(({ ctx }) => ctx.run(billing.getForecast)),
  /** The balance, the entries behind it, and whether the credits for new organizations are among them. */
  credits: procedure('billing:read').query(({ ctx }) =>
    ctx.run(async (scope) => ({
      balanceUsd: await billing.creditBalance(scope),
      entries: await billing.listCreditEntries(scope),
      signUp: await billing.getSignUpCredits(scope),
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
  /** A file for download, for route handlers of this process. */
  exportInvoice: procedure('billing:read')
    .input(exportInvoiceInput)
    .query(({ ctx, input }) => ctx.run((scope) => billing.exportInvoice(scope, input, ctx.backend.invoiceSettings))),
  budget: procedure('billing:read').query(({ ctx }) => ctx.run(billing.getBudget)),
  /** Requires write permission, because the URL may contain a secret of the receiver. */
  webhook: procedure('billing:write').query(({ ctx }) => ctx.run(tenancy.getWebhook)),
  updateBudget: procedure('billing:write', { confirmation: 'always' })
    .input(updateBudgetInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => billing.updateBudget(scope, input, ctx.backend.webUrl))),
  updateWebhook: procedure('billing:write', { confirmation: 'always' })
    .input(updateWebhookInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) =>
        tenancy.updateWebhook(
          scope,
          { url: input.webhookUrl },
          { policy: ctx.backend.outbound, secretBox: ctx.backend.secretBox },
        ),
      ),
    ),
  sendTestWebhook: procedure('billing:write').mutation(({ ctx }) => ctx.run(tenancy.sendTestWebhook)),
  updateDetails: procedure('billing:write', { confirmation: 'always' })
    .input(updateBillingDetailsInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => billing.updateBillingDetails(scope, input))),
  /** The URL of Stripe's page for entering a card. */
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
  /** Collects an open invoice from the card instead of by bank transfer. */
  payInvoiceByCard: procedure('billing:write')
    .input(payInvoiceByCardInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) =>
        billing.payInvoiceByCard(scope, input, { isStripeConfigured: ctx.backend.stripe !== undefined }),
      ),
    ),
});
