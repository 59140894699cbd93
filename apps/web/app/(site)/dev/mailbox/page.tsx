import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { MailboxPage } from '../../../../features/mailbox';
import { getCaller, getSession } from '../../../../server/session';

export const metadata: Metadata = { title: 'Mailbox', robots: { index: false } };

// Rendered per request: mails do not exist at build time.
export const dynamic = 'force-dynamic';

/** Exists only on one-machine installations. */
export default async function Page() {
  const { isEmbedded } = await getSession();
  if (!isEmbedded) {
    notFound();
  }
  const caller = await getCaller();
  return <MailboxPage mails={await caller.mailbox.list()} />;
}
