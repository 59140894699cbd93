// Brings mails from the outbox to the job queue: at once when the database says so, and by a sweep for what was missed.
import type { Database } from '@penstock/database';
import type { Logger } from '@penstock/platform';
import { listWaitingMailIds, mailQueuedChannel } from '@penstock/tenancy';
import type { Runner, Task } from 'graphile-worker';
import { deliverMailAttempts } from './jobs/deliver-mail.ts';
import { listen } from './notification-listener.ts';

type Jobs = Pick<Runner, 'addJob'>;

async function enqueue(jobs: Jobs, mailId: string): Promise<void> {
  await jobs.addJob(
    'deliver-mail',
    { mailId },
    { jobKey: `mail:${mailId}`, jobKeyMode: 'unsafe_dedupe', maxAttempts: deliverMailAttempts },
  );
}

async function enqueueWaiting(jobs: Jobs, database: Database): Promise<void> {
  for (const mailId of await listWaitingMailIds(database)) await enqueue(jobs, mailId);
}

/** The job that finds mails whose notification nobody heard. */
export function sweepMailsJob(database: Database): Task {
  return (_payload, helpers) => enqueueWaiting(helpers, database);
}

/** Starts listening. The returned function ends it. */
export function listenForMails(
  databaseUrl: string,
  database: Database,
  jobs: Jobs,
  logger: Logger,
): () => Promise<void> {
  return listen(
    databaseUrl,
    {
      channel: mailQueuedChannel,
      onNotification: (mailId) => enqueue(jobs, mailId),
      onConnect: () => enqueueWaiting(jobs, database),
    },
    logger,
  );
}
