export { DefaultsPage } from './defaults-page';
export { PricingPage, type PricingQuery } from './pricing-page';
