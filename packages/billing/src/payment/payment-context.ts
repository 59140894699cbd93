// What the use-cases that call Stripe need.
import type { Database } from '@penstock/database/client';
import type { Logger } from '@penstock/platform';
import type { StripeGateway } from '../stripe/index.ts';

export interface PaymentContext {
  database: Database;
  stripe: StripeGateway;
  clock: () => Date;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** The actor in the audit log for automatic actions. */
export const paymentActor = { type: 'system', id: null, label: 'Payments', source: 'worker' } as const;
