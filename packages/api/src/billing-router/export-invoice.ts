import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { exportInvoiceInput } from './export-invoice.types.ts';

/** A file for download; for route handlers of this process. */
export const exportInvoice = procedure('billing:read')
  .input(exportInvoiceInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.exportInvoice(scope, input, ctx.backend.invoiceSettings)));
