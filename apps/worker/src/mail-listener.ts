// Brings mails from the outbox to the job queue: at once when the database says so, and by a sweep for what was missed.
import type { Database } from '@penstock/database';
import type { Logger } from '@penstock/platform';
import { listWaitingMailIds, mailQueuedChannel } from '@penstock/services';
import type { Runner, Task } from 'graphile-worker';
import { Client } from 'pg';
import { deliverMailAttempts } from './jobs/deliver-mail.ts';

type Jobs = Pick<Runner, 'addJob'>;

const reconnectPause_ms = 5_000;

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

/** Starts listening, on a connection of its own that is opened again when it breaks. The returned function ends it. */
export function listenForMails(
  databaseUrl: string,
  database: Database,
  jobs: Jobs,
  logger: Logger,
): () => Promise<void> {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;

  const reconnect = (): void => {
    client = undefined;
    if (!isEnding) timer = setTimeout(() => void connect(), reconnectPause_ms);
  };

  async function connect(): Promise<void> {
    const connection = new Client({ connectionString: databaseUrl });
    connection.on('error', (error) => logger.warn({ err: error }, 'The mail listener lost its connection'));
    connection.on('end', reconnect);
    connection.on('notification', ({ payload }) => {
      if (payload === undefined) return;
      enqueue(jobs, payload).catch((error: unknown) => logger.warn({ err: error }, 'A mail waits for the next sweep'));
    });
    try {
      await connection.connect();
      await connection.query(`LISTEN ${mailQueuedChannel}`);
      client = connection;
      // What was queued while nobody listened.
      await enqueueWaiting(jobs, database);
    } catch (error) {
      logger.warn({ err: error }, 'The mail listener cannot connect; trying again');
      await connection.end().catch(() => undefined);
    }
  }

  void connect();
  return async () => {
    isEnding = true;
    clearTimeout(timer);
    await client?.end();
  };
}
