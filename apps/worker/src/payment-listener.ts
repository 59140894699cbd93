// Brings calls to Stripe and its events to the job queue as soon as their transaction is committed.
import { eventsPayload, paymentWorkChannel } from '@penstock/billing';
import type { Database } from '@penstock/database';
import type { Logger } from '@penstock/platform';
import type { Runner } from 'graphile-worker';
import { enqueueCalls, enqueueEvents, enqueuePaymentWork } from './jobs/payments.ts';
import { listen } from './notification-listener.ts';

/** Starts listening. The returned function ends it. */
export function listenForPaymentWork(
  databaseUrl: string,
  database: Database,
  jobs: Pick<Runner, 'addJob'>,
  logger: Logger,
): () => Promise<void> {
  return listen(
    databaseUrl,
    {
      channel: paymentWorkChannel,
      onNotification: (payload) => (payload === eventsPayload ? enqueueEvents(jobs) : enqueueCalls(jobs, payload)),
      onConnect: () => enqueuePaymentWork(jobs, database),
    },
    logger,
  );
}
