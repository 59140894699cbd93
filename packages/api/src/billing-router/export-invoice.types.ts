import { z } from 'zod';

/** `invoice`: an id, or `draft` for the running month. */
export const exportInvoiceInput = z.object({
  invoice: z.string().max(100),
  format: z.enum(['pdf', 'csv', 'json']),
});
