'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { requestSignUp } from './request-sign-up';
import { useSubmit } from './use-submit';
import { emailFault } from './validate';

export interface SignUpFormProps {
  /** Set when this installation shows mails on a page instead of sending them. */
  mailboxPath: string | undefined;
}

/** Asks for the address only: nothing else is stored before its owner has opened the link in the mail. */
export function SignUpForm({ mailboxPath }: SignUpFormProps) {
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { pending, message, submit } = useSubmit();

  const request = (address: string, onSent: () => void) => submit(() => requestSignUp(address), onSent);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = emailFault(email);
    setFault(wrong);
    if (wrong !== null) {
      return;
    }
    const address = email.trim();
    void request(address, () => setSentTo(address));
  };

  if (sentTo !== null) {
    return <LinkSent email={sentTo} mailboxPath={mailboxPath} request={request} pending={pending} message={message} />;
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : <Notice tone="danger" title={message} />}
      <Field label="Work email" error={fault ?? undefined} hint="We’ll send you a link to set your password.">
        {(control) => (
          <Input
            {...control}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="email"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Sending link…' : 'Continue'}
      </Button>
    </form>
  );
}

interface LinkSentProps extends SignUpFormProps {
  email: string;
  request: (address: string, onSent: () => void) => Promise<void>;
  pending: boolean;
  message: string | null;
}

function LinkSent({ email, mailboxPath, request, pending, message }: LinkSentProps) {
  const [isSentAgain, setIsSentAgain] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="ok" title="Check your email">
        We sent a link to <b className="font-medium text-ink [overflow-wrap:anywhere]">{email}</b>. Open it to set your
        password. It expires after one day.
      </Notice>
      {mailboxPath === undefined ? null : (
        <Notice title="Email is kept on this machine">
          This installation doesn’t send email.{' '}
          <Link href={mailboxPath} className="font-medium text-accent-ink underline underline-offset-4">
            Open the mailbox
          </Link>{' '}
          to find the link.
        </Notice>
      )}
      {message === null ? null : <Notice tone="danger" title={message} />}
      {isSentAgain ? (
        <p role="status" className="text-ink-2 text-sm">
          We sent another link to {email}.
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button size="sm" pending={pending} onClick={() => void request(email, () => setIsSentAgain(true))}>
            {pending ? 'Sending…' : 'Resend email'}
          </Button>
          <span className="text-ink-3 text-xs leading-5">If it doesn’t arrive, check your spam folder.</span>
        </div>
      )}
    </div>
  );
}
