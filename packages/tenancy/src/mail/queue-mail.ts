// Puts a mail into the outbox. In embedded mode it stays there, for the mailbox page; otherwise the worker sends it.
import type { Transaction } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import type { MailMessage } from './mail.ts';

/** The channel on which the worker hears of new mails, at commit. */
export const MAIL_QUEUED_CHANNEL = 'penstock_mail_queued';

/** Sent means: taken by the SMTP server, exactly the mails of committed transactions. */
export async function queueMail(tx: Transaction, message: MailMessage, now: Date): Promise<void> {
  const id = newId(now.getTime());
  // Not `create`, which reads the row back: a tenant may write mails and read none.
  await tx.mail.createMany({
    data: {
      id,
      toAddress: message.to,
      subject: message.subject,
      text: message.text,
      link: message.link,
      createdAt: now,
    },
  });
  await tx.$executeRaw`SELECT pg_notify(${MAIL_QUEUED_CHANNEL}, ${id})`;
}
