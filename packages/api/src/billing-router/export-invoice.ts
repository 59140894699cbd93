import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { exportInvoiceInput } from './export-invoice.types.ts';

/** A file for download; for route handlers of this process. */
export const exportInvoice = procedure('billing:read')
  .input(exportInvoiceInput)
  .query(({ ctx, input }) => ctx.run((scope) => billing.exportInvoice(scope, input, ctx.backend.invoiceSettings)));
