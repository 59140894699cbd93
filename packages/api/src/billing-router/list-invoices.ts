import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { listInvoicesInput } from './list-invoices.types.ts';

export const listInvoices = procedure('billing:read')
  .input(listInvoicesInput)
  .query(({ ctx, input }) => ctx.run((scope) => billing.listInvoices(scope, input)));
