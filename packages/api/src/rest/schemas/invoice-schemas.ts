// Schemas of invoices in the public API.
import { z } from 'zod';
import { exampleIds, instant, usd, wholeNumber } from './common.ts';

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

export const invoiceLineSchema = z
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

export const invoiceSummarySchema = z.object(summaryFields).meta({ id: 'InvoiceSummary', example: summaryExample });

const partySchema = z
  .object({
    name: z.string(),
    address: z.array(z.string()),
    email: z.string().nullable(),
    taxId: z.string().nullable(),
  })
  .meta({ id: 'Party' });

const partyExample = { name: 'Acme Inc.', address: ['1 Main St'], email: 'bills@example.com', taxId: null };

export const invoiceSchema = z
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

export const pendingInvoiceSchema = z
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
