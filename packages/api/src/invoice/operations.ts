// Invoices and the draft of the current month.
import * as billing from '@penstock/billing';
import { z } from 'zod';
import { idCursor } from '../operation/cursor.ts';
import { STRIPE_ASKS } from '../operation/reasons.ts';
import { exampleIds, instant, usd, wholeNumber } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';

const { list, mutation, query } = operations('Invoices');

const lineExample = {
  position: 1,
  product: 'writes',
  clusterId: exampleIds.cluster,
  clusterName: 'orders',
  mode: 'standard',
  tier: 1,
  description: 'orders: uncompressed writes',
  quantity: '73014444032',
  unit: 'GiB',
  unitPriceUsd: '0.05',
  amountUsd: '3.40',
  priceBookId: '2026-10',
  firstHour: '2026-11-01T00:00:00.000Z',
  lastHour: '2026-11-21T14:00:00.000Z',
};

const invoiceLineSchema = z
  .object({
    position: z.int(),
    product: z.enum(['writes', 'cluster_minutes', 'credit', 'correction', 'held']),
    clusterId: z.string().nullable(),
    clusterName: z.string().nullable(),
    mode: z.enum(['dev', 'standard', 'low-latency']).nullable(),
    tier: z.int().nullable(),
    description: z.string(),
    quantity: wholeNumber.nullable().meta({ description: 'Exact value: bytes if the unit is GiB, otherwise minutes.' }),
    unit: z.enum(['GiB', 'minute']).nullable(),
    unitPriceUsd: usd.nullable(),
    amountUsd: usd,
    priceBookId: z.string().nullable(),
    firstHour: instant.nullable(),
    lastHour: instant.nullable(),
  })
  .meta({ id: 'InvoiceLine', example: lineExample });

const lineOriginSchema = z
  .object({
    line: invoiceLineSchema,
    hours: z.array(
      z.object({
        hour: instant,
        quantity: wholeNumber.meta({ description: 'Bytes or minutes of this hour in the line.' }),
        amountUsd: usd.meta({ description: 'Not rounded.' }),
        firstSeq: wholeNumber,
        lastSeq: wholeNumber,
      }),
    ),
    lateQuantity: wholeNumber.meta({
      description: 'Usage of these hours that was counted after the invoice was final.',
    }),
  })
  .meta({ id: 'LineOrigin' });

const summaryFields = {
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(['invoice', 'credit_note']),
  month: z.string(),
  periodStart: instant,
  periodEnd: instant.meta({ description: 'Exclusive.' }),
  status: z.enum(['open', 'paid', 'uncollectible', 'issued']),
  collection: z.enum(['card', 'transfer']),
  subtotalUsd: usd,
  creditUsd: usd,
  totalUsd: usd,
  amountPaidUsd: usd,
  amountDueUsd: usd,
  finalizedAt: instant,
  dueAt: instant,
  paidAt: instant.nullable(),
  hostedInvoiceUrl: z.string().nullable(),
};

const summaryExample = {
  id: exampleIds.invoice,
  number: 'PS-2026-000042',
  kind: 'invoice',
  month: '2026-10',
  periodStart: '2026-10-01T00:00:00.000Z',
  periodEnd: '2026-11-01T00:00:00.000Z',
  status: 'paid',
  collection: 'card',
  subtotalUsd: '3.40',
  creditUsd: '0.00',
  totalUsd: '3.40',
  amountPaidUsd: '3.40',
  amountDueUsd: '0.00',
  finalizedAt: '2026-11-02T00:05:00.000Z',
  dueAt: '2026-11-16T00:05:00.000Z',
  paidAt: '2026-11-02T00:06:00.000Z',
  hostedInvoiceUrl: null,
};

const invoiceSummarySchema = z.object(summaryFields).meta({ id: 'InvoiceSummary', example: summaryExample });

const partySchema = z
  .object({
    name: z.string(),
    address: z.array(z.string()),
    email: z.string().nullable(),
    taxId: z.string().nullable(),
  })
  .meta({ id: 'Party' });

const partyExample = { name: 'Acme Inc.', address: ['1 Main St'], email: 'bills@example.com', taxId: null };

const invoiceSchema = z
  .object({
    ...summaryFields,
    refundedUsd: usd,
    disputedUsd: usd.meta({ description: 'Withheld or reclaimed by a bank in a dispute.' }),
    isDisputeLost: z.boolean(),
    seal: z.string().nullable().meta({ description: 'SHA-256 of the invoice’s contents, in hex.' }),
    lines: z.array(invoiceLineSchema),
    billedTo: partySchema,
    billedBy: partySchema,
    transferDetails: z.array(z.string()),
    reason: z.string().nullable(),
    corrects: z.object({ id: z.uuid(), number: z.string() }).nullable(),
    creditNotes: z.array(invoiceSummarySchema),
  })
  .meta({
    id: 'Invoice',
    example: {
      ...summaryExample,
      refundedUsd: '0.00',
      disputedUsd: '0.00',
      isDisputeLost: false,
      seal: null,
      lines: [lineExample],
      billedTo: partyExample,
      billedBy: { ...partyExample, name: 'Penstock' },
      transferDetails: [],
      reason: null,
      corrects: null,
      creditNotes: [],
    },
  });

const pendingInvoiceSchema = z
  .object({
    month: z.string(),
    periodStart: instant,
    periodEnd: instant,
    lines: z.array(invoiceLineSchema),
    linesBelowOneCent: z.int(),
    subtotalUsd: usd,
    creditUsd: usd,
    totalUsd: usd,
    creditBalanceUsd: usd,
    countedUntil: instant,
    finalizesAt: instant,
  })
  .meta({
    id: 'PendingInvoice',
    example: {
      month: '2026-11',
      periodStart: '2026-11-01T00:00:00.000Z',
      periodEnd: '2026-12-01T00:00:00.000Z',
      lines: [lineExample],
      linesBelowOneCent: 0,
      subtotalUsd: '3.40',
      creditUsd: '0.00',
      totalUsd: '3.40',
      creditBalanceUsd: '0.00',
      countedUntil: '2026-11-21T15:04:00.000Z',
      finalizesAt: '2026-12-02T00:00:00.000Z',
    },
  });

/** `invoice`: an id, or `draft` for the current month. */
const exportInvoiceInput = z.object({
  invoice: z.string().max(100),
  format: z.enum(['pdf', 'csv', 'json']),
});

const getInvoiceInput = z.object({ invoiceId: z.string().max(100) });

/** `invoice`: an id, or `draft` for the current month. */
const getLineOriginInput = z.object({
  invoice: z.string().max(100),
  position: z.number().int().min(1).max(1_000_000),
});

const invoiceCursor = idCursor('listInvoices');

const listInvoicesInput = z.object({ cursor: invoiceCursor.schema });

export const invoiceOperations = {
  lineOrigin: query({
    access: 'billing:read',
    input: getLineOriginInput,
    run: ({ ctx, input }) => ctx.run((scope) => billing.getLineOrigin(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /invoices/{invoice}/lines/{position}/origin',
        id: 'getInvoiceLineOrigin',
        summary: 'Get the hours of an invoice line with their journal entries',
        description: 'Use `draft` for the current month.',
        schema: lineOriginSchema,
      }),
  }),
  /** Collects an open invoice from the card instead of by bank transfer. */
  payInvoiceByCard: mutation({
    access: 'billing:write',
    confirmation: not(STRIPE_ASKS),
    audit: 'billing.pay-by-card',
    input: z.object({ invoiceId: z.uuid() }),
    run: ({ ctx, input }) =>
      ctx.run((scope) =>
        billing.payInvoiceByCard(scope, input, {
          isStripeConfigured: ctx.backend.stripe !== undefined,
          webUrl: ctx.backend.webUrl,
        }),
      ),
    rest: ({ none }) =>
      none({
        route: 'POST /invoices/{invoiceId}/collect',
        id: 'payInvoiceByCard',
        summary: 'Pay an open invoice by card instead of bank transfer',
      }),
  }),
  listInvoices: query({
    access: 'billing:read',
    input: listInvoicesInput,
    run: async ({ ctx, input }) => {
      const cursor = invoiceCursor.idIn(input.cursor);
      return invoiceCursor.page(await ctx.run((scope) => billing.listInvoices(scope, { cursor })));
    },
    rest: ({ page }) =>
      page({
        route: 'GET /invoices',
        id: 'listInvoices',
        summary: 'List invoices and credit notes, newest first',
        schema: invoiceSummarySchema,
        select: ({ invoices, nextCursor }) => ({ items: invoices, nextCursor }),
      }),
  }),
  /** The draft of the current month. */
  draft: query({
    access: 'billing:read',
    run: ({ ctx }) => ctx.run((scope) => billing.getDraftInvoice(scope, {})),
    rest: ({ one }) =>
      one({
        route: 'GET /invoices/pending',
        id: 'getPendingInvoice',
        summary: 'Get the draft invoice of the current month',
        schema: pendingInvoiceSchema,
      }),
  }),
  getInvoice: query({
    access: 'billing:read',
    input: getInvoiceInput,
    run: ({ ctx, input }) => ctx.run((scope) => billing.getInvoice(scope, input)),
    rest: ({ one }) =>
      one({ route: 'GET /invoices/{invoiceId}', id: 'getInvoice', summary: 'Get an invoice', schema: invoiceSchema }),
  }),
  listInvoiceLines: list({
    access: 'billing:read',
    input: getInvoiceInput,
    key: z.tuple([z.int32()]),
    run: ({ ctx, input, slice }) => ctx.run((scope) => billing.listInvoiceLines(scope, input, slice)),
    keyOf: ({ position }) => [position],
    rest: ({ list }) =>
      list({
        route: 'GET /invoices/{invoiceId}/lines',
        id: 'listInvoiceLines',
        summary: 'List the lines of an invoice',
        schema: invoiceLineSchema,
      }),
  }),
  /** A file for download, for route handlers of this process. */
  exportInvoice: query({
    access: 'billing:read',
    input: exportInvoiceInput,
    run: ({ ctx, input }) => ctx.run((scope) => billing.exportInvoice(scope, input, ctx.backend.invoiceSettings)),
    rest: ({ file }) => [
      file({
        route: 'GET /invoices/{invoice}/pdf',
        id: 'downloadInvoice',
        summary: 'Download an invoice as PDF',
        description: 'Use `draft` for the current month.',
        fixed: { format: 'pdf' },
        contentType: 'application/pdf',
      }),
      file({
        route: 'GET /invoices/{invoice}/csv',
        id: 'downloadInvoiceAsCsv',
        summary: 'Download the lines of an invoice as CSV',
        description: 'Use `draft` for the current month.',
        fixed: { format: 'csv' },
        contentType: 'text/csv',
      }),
      file({
        route: 'GET /invoices/{invoice}/document',
        id: 'downloadInvoiceAsJson',
        summary: 'Download the sealed invoice document as JSON',
        description: 'Use `draft` for the current month.',
        fixed: { format: 'json' },
        contentType: 'application/json',
      }),
    ],
  }),
};
