// Inputs of the billing procedures. Client-safe: imports only zod and pure modules.
import { monthlyAmountUsd, webhookUrl } from '@penstock/billing/inputs';
import { z } from 'zod';

/** The session id that Stripe put into the page's URL. */
export const completePaymentSetupInput = z.object({ sessionId: z.string().min(1).max(255) });

/** `invoice`: an id, or `draft` for the current month. */
export const exportInvoiceInput = z.object({
  invoice: z.string().max(100),
  format: z.enum(['pdf', 'csv', 'json']),
});

export const getInvoiceInput = z.object({ invoiceId: z.string().max(100) });

/** `invoice`: an id, or `draft` for the current month. */
export const getLineOriginInput = z.object({
  invoice: z.string().max(100),
  position: z.number().int().min(1).max(1_000_000),
});

/** `cursor`: `nextCursor` of the previous page. */
export const listInvoicesInput = z.object({ cursor: z.uuid().optional() });

export const payInvoiceByCardInput = z.object({ invoiceId: z.uuid() });

/** Null removes a value; an omitted one stays as it is. */
export const updateBudgetInput = z.object({
  budgetUsd: monthlyAmountUsd.nullish(),
  capUsd: monthlyAmountUsd.nullish(),
});

export { billingDetails as updateBillingDetailsInput } from '@penstock/billing/inputs';

/** Null removes it. */
export const updateWebhookInput = z.object({ webhookUrl: webhookUrl.nullable() });
