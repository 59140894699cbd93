export const BILLING_PATH = '/app/billing';
export const BILLING_SETTINGS_PATH = '/app/billing/settings';

export function invoicePath(invoiceId: string): string {
  return `/app/billing/invoices/${encodeURIComponent(invoiceId)}`;
}

export type DownloadFormat = 'pdf' | 'csv' | 'json';

/** @param invoice an id, or `draft` for the running month */
export function downloadPath(invoice: string, format: DownloadFormat): string {
  return `/app/billing/invoices/${encodeURIComponent(invoice)}/download/${format}`;
}
