// Invoices and what is still to become one.
import { file, list, one, page, type Route } from '../route.ts';
import {
  invoiceLineSchema,
  invoiceSchema,
  invoiceSummarySchema,
  pendingInvoiceSchema,
} from '../schemas/invoice-schemas.ts';

export const invoiceRoutes: readonly Route[] = [
  page({
    method: 'get',
    path: '/invoices',
    id: 'listInvoices',
    tag: 'Invoices',
    summary: 'Invoices and credit notes, the newest first',
    procedure: 'billing.listInvoices',
    schema: invoiceSummarySchema,
    select: ({ invoices, nextCursor }) => ({ items: invoices, nextCursor }),
  }),
  one({
    method: 'get',
    path: '/invoices/pending',
    id: 'getPendingInvoice',
    tag: 'Invoices',
    summary: 'The bill of the running month as it stands now',
    procedure: 'billing.draft',
    schema: pendingInvoiceSchema,
    select: (draft) => draft,
  }),
  one({
    method: 'get',
    path: '/invoices/{invoiceId}',
    id: 'getInvoice',
    tag: 'Invoices',
    summary: 'One invoice, whole',
    procedure: 'billing.getInvoice',
    schema: invoiceSchema,
    select: (invoice) => invoice,
  }),
  list({
    method: 'get',
    path: '/invoices/{invoiceId}/lines',
    id: 'listInvoiceLines',
    tag: 'Invoices',
    summary: 'The lines of an invoice',
    procedure: 'billing.getInvoice',
    schema: invoiceLineSchema,
    select: ({ lines }) => lines,
    idOf: ({ position }) => String(position),
  }),
  file({
    method: 'get',
    path: '/invoices/{invoice}/pdf',
    id: 'downloadInvoice',
    tag: 'Invoices',
    summary: 'An invoice as PDF; `draft` for the running month',
    procedure: 'billing.exportInvoice',
    fixed: { format: 'pdf' },
    contentType: 'application/pdf',
    select: (invoice) => invoice,
  }),
];
