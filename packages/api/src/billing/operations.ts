// Spending, budgets and billing details.
import * as billing from '@penstock/billing';
import { lockBillingAccount } from '@penstock/tenancy';
import { z } from 'zod';
import { STRIPE_ASKS, STRIPE_PAGE } from '../operation/reasons.ts';
import { exampleIds, instant, usd, wholeNumber } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { updateBillingDetailsInput, updateBudgetInput } from './inputs.ts';

const { mutation, query } = operations('Billing');

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

const billingDetailsExample = {
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

const billingDetailsSchema = z.object(detailFields).meta({ id: 'BillingDetails', example: billingDetailsExample });

const billingAccountSchema = z
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

const budgetSchema = z
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

const forecastSchema = z
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

const costByDaySchema = z
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

const creditsSchema = z
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

/** The session id that Stripe put into the page's URL. */
const completePaymentSetupInput = z.object({ sessionId: z.string().min(1).max(255) });

export const billingOperations = {
  account: query({
    access: 'billing:read',
    run: ({ ctx }) =>
      ctx.run((scope) => billing.getBillingAccount(scope, { isStripeConfigured: ctx.backend.stripe !== undefined })),
    rest: ({ one }) =>
      one({
        route: 'GET /billing/account',
        id: 'getBillingAccount',
        summary: 'Get payment method, account status and failed payments',
        schema: billingAccountSchema,
      }),
  }),
  details: query({
    access: 'billing:read',
    run: ({ ctx }) =>
      ctx.run((scope) => billing.getBillingAccount(scope, { isStripeConfigured: ctx.backend.stripe !== undefined })),
    rest: ({ one }) =>
      one({
        route: 'GET /billing/details',
        id: 'getBillingDetails',
        summary: 'Get the billing details',
        schema: billingDetailsSchema,
      }),
  }),
  updateDetails: mutation({
    access: 'billing:write',
    confirmation: 'always',
    audit: 'billing.update-details',
    input: updateBillingDetailsInput,
    example: billingDetailsExample,
    run: ({ ctx, input }) => ctx.run((scope) => billing.updateBillingDetails(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'PATCH /billing/details',
        id: 'updateBillingDetails',
        summary: 'Update the billing details for future invoices',
        description: 'Replaces all fields, so that parts of two addresses are never mixed. Send null to clear a field.',
        schema: billingDetailsSchema,
        select: (_done, input) => billingDetailsSchema.parse(input),
        current: lockBillingAccount,
      }),
  }),
  forecast: query({
    access: 'billing:read',
    run: ({ ctx }) => ctx.run(billing.getForecast),
    rest: ({ one }) =>
      one({
        route: 'GET /billing/forecast',
        id: 'getForecast',
        summary: 'Forecast the cost of the current month',
        schema: forecastSchema,
      }),
  }),
  /** The usage of the current month. */
  monthByDay: query({
    access: 'billing:read',
    run: ({ ctx }) => ctx.run((scope) => billing.getMonthByDay(scope, {})),
    rest: ({ one }) =>
      one({
        route: 'GET /billing/cost-by-day',
        id: 'getCostByDay',
        summary: 'Get the cost of the current month by cluster and day',
        schema: costByDaySchema,
      }),
  }),
  /** The balance, the entries behind it, and whether the credits for new organizations are among them. */
  credits: query({
    access: 'billing:read',
    run: ({ ctx }) =>
      ctx.run(async (scope) => ({
        balanceUsd: await billing.creditBalance(scope),
        entries: await billing.listCreditEntries(scope),
        signUp: await billing.getSignUpCredits(scope),
      })),
    rest: ({ one }) =>
      one({
        route: 'GET /billing/credits',
        id: 'getCredits',
        summary: 'Get the credit balance and its entries, newest first',
        schema: creditsSchema,
      }),
  }),
  budget: query({
    access: 'billing:read',
    run: ({ ctx }) => ctx.run(billing.getBudget),
    rest: ({ one }) =>
      one({
        route: 'GET /billing/budget',
        id: 'getBudget',
        summary: 'Get the monthly budget and spending cap, with their status',
        schema: budgetSchema,
      }),
  }),
  updateBudget: mutation({
    access: 'billing:write',
    confirmation: 'always',
    audit: ['billing.update-budget', 'billing.cap-reach', 'billing.cap-lift'],
    input: updateBudgetInput,
    example: { budgetUsd: '250.00', capUsd: '1000.00' },
    run: ({ ctx, input }) => ctx.run((scope) => billing.updateBudget(scope, input, ctx.backend.webUrl)),
    rest: ({ one }) =>
      one({
        route: 'PATCH /billing/budget',
        id: 'updateBudget',
        summary: 'Update the monthly budget and spending cap',
        description:
          'Send null to remove a value. Omitted values don’t change. If usage has already reached the cap, writes are blocked immediately.',
        schema: budgetSchema,
        current: async (scope) => {
          await lockBillingAccount(scope);
          return billing.getBudget(scope);
        },
      }),
  }),
  /** The URL of Stripe's page for entering a card. */
  startPaymentSetup: mutation({
    access: 'billing:write',
    confirmation: not(STRIPE_ASKS),
    audit: not('The card is entered at Stripe; its change is recorded when Stripe reports it.'),
    run: async ({ ctx }) => ({
      url: await billing.startPaymentSetup(ctx.backend, ctx.tenant),
    }),
    rest: STRIPE_PAGE,
  }),
  completePaymentSetup: mutation({
    access: 'billing:write',
    confirmation: not(STRIPE_ASKS),
    audit: 'billing.change-payment-method',
    input: completePaymentSetupInput,
    run: async ({ ctx, input }) => ({
      isComplete: await billing.completePaymentSetup(ctx.backend, ctx.tenant, input),
    }),
    rest: STRIPE_PAGE,
  }),
  /** The URL of Stripe's page with the customer's cards and receipts. */
  openPaymentPortal: mutation({
    access: 'billing:write',
    confirmation: not(STRIPE_ASKS),
    audit: not('It only opens a page of Stripe’s.'),
    run: async ({ ctx }) => ({
      url: await billing.openPaymentPortal(ctx.backend, ctx.tenant),
    }),
    rest: STRIPE_PAGE,
  }),
};
