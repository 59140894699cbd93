// The mailbox page of the embedded mode, newest mail first.
import type { Transaction } from '@penstock/database/client';
import { AppError } from '@penstock/platform';

export interface MailboxMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  link: string | null;
  createdAt: Date;
}

/** @throws AppError `mailbox_not_found` outside embedded mode, where only recipients may read their mail */
export async function listMailbox(tx: Transaction, isEmbedded: boolean): Promise<MailboxMail[]> {
  if (!isEmbedded) {
    throw new AppError({
      kind: 'not-found',
      code: 'mailbox_not_found',
      message: 'This installation sends email through SMTP and has no mailbox.',
    });
  }
  const mails = await tx.mail.findMany({ orderBy: { id: 'desc' }, take: 100 });
  return mails.map(({ id, toAddress, subject, text, link, createdAt }) => ({
    id,
    to: toAddress,
    subject,
    text,
    link,
    createdAt,
  }));
}
