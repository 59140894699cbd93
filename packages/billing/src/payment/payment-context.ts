// What use-cases that call Stripe work with.
import type { Database } from '@penstock/database/client';
import type { Logger } from '@penstock/platform';
import type { StripeGateway } from '../stripe/index.ts';

export interface PaymentContext {
  database: Database;
  stripe: StripeGateway;
  clock: () => Date;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** The actor of what no person asked for, in the audit log. */
export const paymentActor = { type: 'system', id: null, label: 'Payments', source: 'worker' } as const;
