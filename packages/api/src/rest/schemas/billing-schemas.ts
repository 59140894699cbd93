// Schemas of the billing account, budget, credits and webhook in the public API.
import { z } from 'zod';
import { exampleIds, instant, usd, wholeNumber } from './common.ts';
import { invoiceLineSchema } from './invoice-schemas.ts';

const detailFields = {
  legalName: z.string().nullable(),
  addressLine1: z.string().nullable(),
  addressLine2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-2.' }),
  taxIdType: z.string().nullable().meta({ description: 'Uses Stripe’s names, such as `eu_vat`.' }),
  taxId: z.string().nullable(),
  billingEmail: z.string().nullable().meta({ description: 'Null: the owners receive billing email.' }),
};

export const billingDetailsExample = {
  legalName: 'Acme GmbH',
  addressLine1: 'Hauptstr. 1',
  addressLine2: null,
  city: 'Berlin',
  state: null,
  postalCode: '10115',
  country: 'DE',
  taxIdType: 'eu_vat',
  taxId: 'DE123456789',
  billingEmail: 'bills@example.com',
};

export const billingDetailsSchema = z
  .object(detailFields)
  .meta({ id: 'BillingDetails', example: billingDetailsExample });

export const billingAccountSchema = z
  .object({
    ...detailFields,
    detailsProblem: z.string().nullable().meta({ description: 'Problems with the details, if any are known.' }),
    paymentMethodLabel: z.string().nullable().meta({ description: 'Null: invoices are paid by bank transfer.' }),
    canPayByCard: z.boolean(),
    standing: z
      .enum(['good', 'past_due', 'restricted'])
      .meta({ description: '`restricted`: no clusters can be created until the open invoices are paid.' }),
    standingSince: instant.nullable(),
    failedPayments: z.array(
      z.object({
        invoiceId: z.string(),
        invoiceNumber: z.string(),
        failingSince: instant,
        reason: z.string().nullable(),
        hostedInvoiceUrl: z.string().nullable(),
        restrictedFrom: instant,
      }),
    ),
  })
  .meta({
    id: 'BillingAccount',
    example: {
      ...billingDetailsExample,
      detailsProblem: null,
      paymentMethodLabel: 'Visa ending 4242, expires 12/2030',
      canPayByCard: true,
      standing: 'good',
      standingSince: null,
      failedPayments: [],
    },
  });

export const budgetSchema = z
  .object({
    budgetUsd: usd
      .nullable()
      .meta({ description: 'For a calendar month (UTC). We send email as usage approaches it.' }),
    capUsd: usd
      .nullable()
      .meta({ description: 'For a calendar month (UTC). Writes are blocked once usage reaches it.' }),
    writesRefusedReason: z.string().nullable().meta({ description: 'Null: writes are allowed.' }),
    alerts: z
      .array(z.object({ percent: z.int(), budgetUsd: usd, costUsd: usd, at: instant }))
      .meta({ description: 'Thresholds passed this month.' }),
  })
  .meta({
    id: 'Budget',
    example: {
      budgetUsd: '250.00',
      capUsd: null,
      writesRefusedReason: null,
      alerts: [{ percent: 50, budgetUsd: '250.00', costUsd: '125.40', at: '2026-11-15T09:00:00.000Z' }],
    },
  });

export const forecastSchema = z
  .object({
    month: z.string(),
    subtotalUsd: usd.meta({ description: 'Of the whole month, before credits.' }),
    creditUsd: usd,
    totalUsd: usd,
    soFarUsd: usd.meta({ description: 'Before credits.' }),
    method: z.string().meta({ description: 'An explanation of the figure for people.' }),
  })
  .meta({
    id: 'Forecast',
    example: {
      month: '2026-11',
      subtotalUsd: '4.90',
      creditUsd: '0.00',
      totalUsd: '4.90',
      soFarUsd: '3.40',
      method: 'Usage so far, plus the rest of the month at the rate of the last seven days.',
    },
  });

export const costByDaySchema = z
  .object({
    month: z.string(),
    days: z.array(z.string()).meta({ description: 'Every day (UTC) up to today, oldest first.' }),
    clusters: z.array(
      z.object({
        clusterId: z.string(),
        clusterName: z.string(),
        costUsd: z.array(usd).meta({ description: 'One per day, not rounded.' }),
        writtenBytes: z.array(wholeNumber),
      }),
    ),
    totalUsd: usd,
    countedUntil: instant,
  })
  .meta({
    id: 'CostByDay',
    example: {
      month: '2026-11',
      days: ['2026-11-01'],
      clusters: [
        { clusterId: exampleIds.cluster, clusterName: 'orders', costUsd: ['0.16'], writtenBytes: ['3476878287'] },
      ],
      totalUsd: '0.16',
      countedUntil: '2026-11-01T23:59:00.000Z',
    },
  });

export const creditsSchema = z
  .object({
    balanceUsd: usd,
    entries: z.array(
      z.object({
        id: z.string(),
        at: instant,
        kind: z.string(),
        description: z.string(),
        amountUsd: usd.meta({ description: 'Positive: credits added. Negative: credits used.' }),
        balanceUsd: usd.meta({ description: 'After this entry.' }),
        invoiceId: z.string().nullable(),
      }),
    ),
    signUp: z.object({ amountUsd: z.string(), isGranted: z.boolean() }).meta({
      description: 'The credits for new organizations. A person, a payment method and a company domain get them once.',
    }),
  })
  .meta({
    id: 'Credits',
    example: {
      balanceUsd: '400.00',
      signUp: { amountUsd: '400', isGranted: true },
      entries: [
        {
          id: exampleIds.audit,
          at: '2026-11-02T09:30:00.000Z',
          kind: 'credit_grant',
          description: 'Credits for new organizations',
          amountUsd: '400.00',
          balanceUsd: '400.00',
          invoiceId: null,
        },
      ],
    },
  });

export const lineOriginSchema = z
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

export const webhookSchema = z
  .object({
    url: z.string().nullable(),
    secret: z.string().optional().meta({ description: 'Signs deliveries. Returned only when it is created.' }),
  })
  .meta({ id: 'Webhook', example: { url: 'https://hooks.example.com/penstock' } });

export const webhookDeliverySchema = z
  .object({
    id: z.string(),
    event: z.string(),
    createdAt: instant,
    state: z.enum(['waiting', 'delivered', 'given up']),
    attempts: z.int(),
    lastError: z.string().nullable(),
  })
  .meta({
    id: 'WebhookDelivery',
    example: {
      id: exampleIds.audit,
      event: 'webhook.test',
      createdAt: '2026-11-21T15:04:00.000Z',
      state: 'delivered',
      attempts: 1,
      lastError: null,
    },
  });

export const webhookTestSchema = z
  .object({ deliveryId: z.string() })
  .meta({ id: 'WebhookTest', example: { deliveryId: exampleIds.audit } });
