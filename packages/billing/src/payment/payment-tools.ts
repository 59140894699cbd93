// What whoever talks to Stripe works with.
import type { Database } from '@penstock/database/client';
import type { Logger } from '@penstock/platform';
import type { StripeGateway } from '../stripe/index.ts';

export interface PaymentTools {
  database: Database;
  stripe: StripeGateway;
  clock: () => Date;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** Who acts when nobody asked, as the audit log tells it. */
export const paymentActor = { type: 'system', id: null, label: 'Payments', source: 'worker' } as const;
