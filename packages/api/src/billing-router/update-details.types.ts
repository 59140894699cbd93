export { billingDetails as updateBillingDetailsInput } from '@penstock/services/inputs';
