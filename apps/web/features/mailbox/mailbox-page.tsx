import { Button, Card, EmptyState, Notice } from '@penstock/ui';
import { Inbox } from 'lucide-react';
import { DateTime } from '../../lib/time';

export interface MailboxMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  link: string | null;
  createdAt: Date;
}

/** Shows the mails of a one-machine installation, which sends none. */
export function MailboxPage({ mails }: { mails: readonly MailboxMail[] }) {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-10 sm:px-8">
      <h1 className="font-semibold text-2xl text-ink tracking-tight">Mailbox</h1>
      <p className="mt-1 text-ink-2 text-sm leading-6">
        This installation keeps its email on this machine and doesn’t send it. The newest email is first. This page is
        replaced by real delivery once SMTP is configured.
      </p>
      <div className="mt-6 flex flex-col gap-4">
        {mails.length === 0 ? (
          <Card>
            <EmptyState icon={<Inbox />} title="No email yet">
              Sign up or reset a password to receive an email.
            </EmptyState>
          </Card>
        ) : (
          mails.map((mail) => <Mail key={mail.id} mail={mail} />)
        )}
      </div>
      <div className="mt-6">
        <Notice title="Links expire after one hour" />
      </div>
    </div>
  );
}

function Mail({ mail }: { mail: MailboxMail }) {
  return (
    <article data-to={mail.to} className="min-w-0 rounded-xl border border-line bg-surface p-5 shadow-raised">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold text-[0.9375rem] text-ink">{mail.subject}</h2>
        <span className="text-ink-3 text-xs">
          <DateTime timeMs={mail.createdAt.getTime()} />
        </span>
        <p className="basis-full break-all text-[0.8125rem] text-ink-3">to {mail.to}</p>
      </header>
      <p className="mt-3 whitespace-pre-wrap break-words text-ink-2 text-sm leading-6">{mail.text}</p>
      {mail.link === null ? null : (
        <Button asChild size="sm" className="mt-4">
          {/* A link to the auth endpoints, not a page, so the router must not handle it. */}
          <a href={mail.link}>Open link</a>
        </Button>
      )}
    </article>
  );
}
