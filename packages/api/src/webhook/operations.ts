// The organization’s webhook.
import * as tenancy from '@penstock/tenancy';
import { z } from 'zod';
import { DAILY_WORK } from '../operation/reasons.ts';
import { exampleIds, instant } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { updateWebhookInput } from './inputs.ts';

const { list, mutation, query } = operations('Webhook');

const webhookSchema = z
  .object({
    url: z.string().nullable(),
    secret: z.string().optional().meta({ description: 'Signs deliveries. Returned only when it is created.' }),
  })
  .meta({ id: 'Webhook', example: { url: 'https://hooks.example.com/penstock' } });

const webhookDeliverySchema = z
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

const webhookTestSchema = z
  .object({ deliveryId: z.string() })
  .meta({ id: 'WebhookTest', example: { deliveryId: exampleIds.audit } });

export const webhookOperations = {
  /** Requires write permission, because the URL may contain a secret of the receiver. */
  webhook: query({
    access: 'billing:write',
    run: ({ ctx }) => ctx.run(tenancy.getWebhook),
    rest: ({ one }) =>
      one({
        route: 'GET /webhook',
        id: 'getWebhook',
        summary: 'Get the webhook',
        schema: webhookSchema,
        select: ({ url }) => ({ url }),
      }),
  }),
  updateWebhook: mutation({
    access: 'billing:write',
    confirmation: 'always',
    audit: 'billing.update-webhook',
    input: updateWebhookInput,
    example: { webhookUrl: 'https://hooks.example.com/penstock' },
    run: ({ ctx, input }) =>
      ctx.run((scope) =>
        tenancy.updateWebhook(
          scope,
          { url: input.webhookUrl },
          { policy: ctx.backend.outbound, secretBox: ctx.backend.secretBox },
        ),
      ),
    rest: ({ one }) =>
      one({
        route: 'PATCH /webhook',
        id: 'updateWebhook',
        summary: 'Set the webhook and create a new secret',
        description:
          'Send null to remove it. Every change creates a new secret, so that the previous receiver can’t forge our signature. Only this response contains the secret. For `If-Match`, read the webhook again.',
        schema: webhookSchema,
        select: ({ url, secret }) => (secret === null ? { url } : { url, secret }),
        current: async (scope) => ({ url: (await tenancy.lockBillingAccount(scope)).webhookUrl }),
      }),
  }),
  listWebhookDeliveries: list({
    access: 'billing:write',
    key: z.tuple([z.uuid()]),
    run: ({ ctx, slice }) => ctx.run((scope) => tenancy.listWebhookDeliveries(scope, slice)),
    keyOf: ({ id }) => [id],
    rest: ({ list }) =>
      list({
        route: 'GET /webhook/deliveries',
        id: 'listWebhookDeliveries',
        summary: 'List recent deliveries, newest first',
        schema: webhookDeliverySchema,
      }),
  }),
  sendTestWebhook: mutation({
    access: 'billing:write',
    confirmation: not(DAILY_WORK),
    audit: not('It changes nothing here.'),
    run: ({ ctx }) => ctx.run(tenancy.sendTestWebhook),
    rest: ({ one }) =>
      one({
        route: 'POST /webhook/tests',
        id: 'testWebhook',
        summary: 'Send a test event',
        status: 201,
        schema: webhookTestSchema,
      }),
  }),
};
