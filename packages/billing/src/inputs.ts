// What people may type, as rules that forms and server share. Client-safe: imports nothing but zod.
export { monthlyAmountUsd, webhookUrl } from './budget/budget-input.ts';
export { type BillingDetails, billingDetails } from './payment/billing-details-input.ts';
