// Validation rules that forms and the server share. Client-safe: imports only zod.
export { monthlyAmountUsd, webhookUrl } from './budget/budget-input.ts';
export { type BillingDetails, billingDetails } from './payment/billing-details-input.ts';
