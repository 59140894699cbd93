import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { MailboxPage } from '../../../../features/mailbox';
import { getCaller, getSession } from '../../../../server/session';

export const metadata: Metadata = { title: 'Mailbox', robots: { index: false } };

// Nothing of it is known when the app is built.
export const dynamic = 'force-dynamic';

/** Exists on one-machine installations alone. */
export default async function Page() {
  const { isEmbedded } = await getSession();
  if (!isEmbedded) {
    notFound();
  }
  const caller = await getCaller();
  return <MailboxPage mails={await caller.mailbox.list()} />;
}
