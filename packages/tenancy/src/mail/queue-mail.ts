// Puts a mail into the outbox. In embedded mode it stays there for the mailbox page; otherwise the worker sends it.
import type { Transaction } from '@penstock/database/client';
import { newId } from '@penstock/platform';
import type { MailMessage } from './mail.ts';
import { oneLine } from './plain-name.ts';

/** Notifies the worker of new mails when the transaction commits. */
export const MAIL_QUEUED_CHANNEL = 'penstock_mail_queued';

/** Only mails of committed transactions are sent. Sent means accepted by the SMTP server. */
export async function queueMail(tx: Transaction, message: MailMessage, now: Date): Promise<void> {
  const id = newId(now.getTime());
  // Not `create`, which reads the row back: the tenant role may insert mails but not read them.
  await tx.mail.createMany({
    data: {
      id,
      toAddress: message.to,
      subject: oneLine(message.subject),
      text: message.text,
      link: message.link,
      createdAt: now,
    },
  });
  await tx.$executeRaw`SELECT pg_notify(${MAIL_QUEUED_CHANNEL}, ${id})`;
}
