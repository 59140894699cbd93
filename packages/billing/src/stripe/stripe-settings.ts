// Stripe's settings, from the environment. Without keys, invoices are paid by bank transfer.
import { AppError, httpUrlVariable } from '@penstock/platform';
import { z } from 'zod';

/** For the environment schema of every program that calls Stripe or receives its webhooks. */
export const stripeVariables = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'expected a secret key of Stripe, which starts with sk_ or rk_')
    .optional()
    .meta({ description: "Stripe's secret key. Without it, customers pay by bank transfer.", isSecret: true }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'expected the signing secret of the webhook endpoint, which starts with whsec_')
    .optional()
    .meta({
      description: "The signing secret of Stripe's webhook endpoint. Set both keys of Stripe or none.",
      isSecret: true,
    }),
  STRIPE_API_BASE: httpUrlVariable.optional().meta({
    description: "Replaces the URL of Stripe's API, for example with a stand-in for tests.",
    defaultText: 'Stripe',
  }),
};

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  apiBase: string | undefined;
}

/**
 * Both keys or none.
 * @throws AppError `environment_invalid` if only one of the two is set
 */
export function stripeSettings(variables: {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
  STRIPE_API_BASE?: string | undefined;
}): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = variables;
  if (secretKey === undefined && webhookSecret === undefined) {
    return undefined;
  }
  if (secretKey === undefined || webhookSecret === undefined) {
    const missing = secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET';
    throw new AppError({
      kind: 'invalid-input',
      code: 'environment_invalid',
      message: `The environment is not usable: ${missing} is not set, but the other key of Stripe is.`,
      remedy: 'Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or none of them to bill by transfer.',
    });
  }
  return { secretKey, webhookSecret, apiBase };
}
