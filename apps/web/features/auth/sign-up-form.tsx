'use client';

import { Button, Notice } from '@penstock/ui';
import Link from 'next/link';
import { useState } from 'react';
import { z } from 'zod';
import { Form, TextField } from '../../lib/forms';
import { emailInput } from './auth-inputs';
import { requestSignUp } from './request-sign-up';
import { useAuthForm } from './use-auth-form';
import { useSubmit } from './use-submit';

export interface SignUpFormProps {
  /** Set when this installation shows mails on a page instead of sending them. */
  mailboxPath: string | undefined;
}

/** Asks for the address only: nothing else is stored before its owner has opened the link in the mail. */
export function SignUpForm({ mailboxPath }: SignUpFormProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useAuthForm({
    initial: { email: '' },
    schema: z.object({ email: emailInput }),
    call: ({ email }) => requestSignUp(email),
    onDone: (_answer, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return <LinkSent email={sentTo} mailboxPath={mailboxPath} />;
  }
  return (
    <Form form={form} labels={['Continue', 'Sending link…']} variant="primary" isWide>
      <TextField
        form={form}
        name="email"
        label="Work email"
        hint="We’ll send you a link to set your password."
        type="email"
        autoComplete="email"
      />
    </Form>
  );
}

function LinkSent({ email, mailboxPath }: SignUpFormProps & { email: string }) {
  const { pending, message, submit } = useSubmit();
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
          <Button
            size="sm"
            pending={pending}
            onClick={() =>
              void submit(
                () => requestSignUp(email),
                () => setIsSentAgain(true),
              )
            }
          >
            {pending ? 'Sending…' : 'Resend email'}
          </Button>
          <span className="text-ink-3 text-xs leading-5">If it doesn’t arrive, check your spam folder.</span>
        </div>
      )}
    </div>
  );
}
