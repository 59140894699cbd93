export { BillingFrame } from './billing-frame';
export { InvoicePage } from './invoice/invoice-page';
export { BillingPage } from './overview/billing-page';
export { BillingSettingsPage } from './settings/billing-settings-page';
