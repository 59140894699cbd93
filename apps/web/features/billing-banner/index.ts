export { BillingBanner } from './billing-banner';
