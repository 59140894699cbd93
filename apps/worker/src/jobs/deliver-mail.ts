// Moves mails from the outbox to the job queue and hands them to the SMTP server.
import type { Database } from '@penstock/database';
import {
  listWaitingMailIds,
  markMailFailed,
  markMailSent,
  type NotificationListener,
  readWaitingMail,
} from '@penstock/tenancy';
import type { Runner, Task } from 'graphile-worker';
import { z } from 'zod';
import type { MailTransport } from '../mail-transport.ts';

export const deliverMailPayload = z.object({ mailId: z.uuid() });
/** With the queue's growing pauses, these attempts span about six hours. */
export const DELIVER_MAIL_ATTEMPTS = 10;

export function deliverMailJob(database: Database, transport: MailTransport): Task {
  return async (payload, helpers) => {
    const { mailId } = deliverMailPayload.parse(payload);
    const mail = await readWaitingMail(database, mailId);
    if (mail === null) {
      return;
    }
    try {
      await transport.send(mail);
    } catch (error) {
      if (helpers.job.attempts >= DELIVER_MAIL_ATTEMPTS) {
        await markMailFailed(database, mailId, new Date());
      }
      throw error;
    }
    await markMailSent(database, mailId, new Date());
  };
}

type Jobs = Pick<Runner, 'addJob'>;

async function enqueue(jobs: Jobs, mailId: string): Promise<void> {
  await jobs.addJob(
    'deliver-mail',
    { mailId },
    { jobKey: `mail:${mailId}`, jobKeyMode: 'unsafe_dedupe', maxAttempts: DELIVER_MAIL_ATTEMPTS },
  );
}

async function enqueueWaiting(jobs: Jobs, database: Database): Promise<void> {
  for (const mailId of await listWaitingMailIds(database)) {
    await enqueue(jobs, mailId);
  }
}

/** The job that finds mails whose notification was lost. */
export function sweepMailsJob(database: Database): Task {
  return (_payload, helpers) => enqueueWaiting(helpers, database);
}

/** Enqueues each mail as soon as its transaction commits. */
export function mailListener(database: Database, jobs: Jobs): NotificationListener {
  return {
    onNotification: (mailId) => enqueue(jobs, mailId),
    onConnect: () => enqueueWaiting(jobs, database),
  };
}
