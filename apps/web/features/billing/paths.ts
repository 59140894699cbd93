import { useOrganizationQuery } from '../../lib/trpc';

export const BILLING_PATH = '/app/billing';
export const BILLING_SETTINGS_PATH = '/app/billing/settings';

export function invoicePath(invoiceId: string): string {
  return `/app/billing/invoices/${encodeURIComponent(invoiceId)}`;
}

export type DownloadFormat = 'pdf' | 'csv' | 'json';

/** Paths of an invoice's files. The argument is an id, or `draft` for the running month. */
export function useDownloadPath(): (invoice: string, format: DownloadFormat) => string {
  const organization = useOrganizationQuery();
  return (invoice, format) => `/app/billing/invoices/${encodeURIComponent(invoice)}/download/${format}?${organization}`;
}
