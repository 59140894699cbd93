export { PricingPage, type PricingQuery } from './pricing-page';
