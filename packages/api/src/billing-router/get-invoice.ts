import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { getInvoiceInput } from './get-invoice.types.ts';

export const getInvoice = procedure('billing:read')
  .input(getInvoiceInput)
  .query(({ ctx, input }) => ctx.run((scope) => billing.getInvoice(scope, input)));
