// The worker's side of the mail outbox.
import type { Database } from '@penstock/database/client';

export interface WaitingMail {
  id: string;
  to: string;
  subject: string;
  text: string;
}

const waiting = { sentAt: null, failedAt: null } as const;

/** Null if the mail was sent, given up or deleted meanwhile. */
export async function readWaitingMail(database: Database, id: string): Promise<WaitingMail | null> {
  const mail = await database.mail.findFirst({ where: { id, ...waiting } });
  return mail === null ? null : { id: mail.id, to: mail.toAddress, subject: mail.subject, text: mail.text };
}

/** The oldest queued mails. */
export async function listWaitingMailIds(database: Database): Promise<string[]> {
  const mails = await database.mail.findMany({
    where: waiting,
    orderBy: { createdAt: 'asc' },
    take: 500,
    select: { id: true },
  });
  return mails.map((mail) => mail.id);
}

/** Marks a mail as sent and deletes its content, because its link opens an account. */
export async function markMailSent(database: Database, id: string, now: Date): Promise<void> {
  await database.mail.updateMany({ where: { id, ...waiting }, data: { sentAt: now, text: '', link: null } });
}

/** Gives up on a mail. */
export async function markMailFailed(database: Database, id: string, now: Date): Promise<void> {
  await database.mail.updateMany({ where: { id, ...waiting }, data: { failedAt: now, text: '', link: null } });
}
