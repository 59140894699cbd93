export { billingDetails as updateBillingDetailsInput } from '@penstock/billing/inputs';
