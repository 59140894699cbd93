import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getInvoiceInput } from './get-invoice.types.ts';

export const getInvoice = procedure('billing:read')
  .input(getInvoiceInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.getInvoice(scope, input)));
