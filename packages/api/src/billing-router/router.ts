import { router } from '../trpc/trpc.ts';
import { completePaymentSetup } from './complete-payment-setup.ts';
import { exportInvoice } from './export-invoice.ts';
import { getAccount } from './get-account.ts';
import { getBudget } from './get-budget.ts';
import { getCredits } from './get-credits.ts';
import { getDraft } from './get-draft.ts';
import { getForecast } from './get-forecast.ts';
import { getInvoice } from './get-invoice.ts';
import { getLineOrigin } from './get-line-origin.ts';
import { getMonthByDay } from './get-month-by-day.ts';
import { getWebhook } from './get-webhook.ts';
import { listInvoices } from './list-invoices.ts';
import { openPaymentPortal } from './open-payment-portal.ts';
import { payInvoiceByCard } from './pay-invoice-by-card.ts';
import { sendTestWebhook } from './send-test-webhook.ts';
import { startPaymentSetup } from './start-payment-setup.ts';
import { updateBudget } from './update-budget.ts';
import { updateDetails } from './update-details.ts';
import { updateWebhook } from './update-webhook.ts';

export const billingRouter = router({
  account: getAccount,
  draft: getDraft,
  monthByDay: getMonthByDay,
  forecast: getForecast,
  credits: getCredits,
  listInvoices,
  getInvoice,
  lineOrigin: getLineOrigin,
  exportInvoice,
  budget: getBudget,
  webhook: getWebhook,
  updateBudget,
  updateWebhook,
  sendTestWebhook,
  updateDetails,
  startPaymentSetup,
  completePaymentSetup,
  openPaymentPortal,
  payInvoiceByCard,
});
