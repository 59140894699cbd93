// Hands one mail of the outbox to the SMTP server.
import type { Database } from '@penstock/database';
import { markMailFailed, markMailSent, readWaitingMail } from '@penstock/tenancy';
import type { Task } from 'graphile-worker';
import { z } from 'zod';
import type { MailTransport } from '../mail-transport.ts';

export const deliverMailPayload = z.object({ mailId: z.uuid() });
/** With the queue's growing pauses these span about six hours. */
export const deliverMailAttempts = 10;

export function deliverMailJob(database: Database, transport: MailTransport): Task {
  return async (payload, helpers) => {
    const { mailId } = deliverMailPayload.parse(payload);
    const mail = await readWaitingMail(database, mailId);
    if (mail === null) return;
    try {
      await transport.send(mail);
    } catch (error) {
      if (helpers.job.attempts >= deliverMailAttempts) await markMailFailed(database, mailId, new Date());
      throw error;
    }
    await markMailSent(database, mailId, new Date());
  };
}
