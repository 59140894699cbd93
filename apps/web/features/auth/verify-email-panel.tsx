'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import Link from 'next/link';
import { useState } from 'react';
import { ResendVerification } from './resend-verification';
import { emailFault } from './validate';

export interface VerifyEmailPanelProps {
  /** `sent`: the mail is on its way; `verified`: the link was valid; `invalid`: it was not. */
  state: 'sent' | 'verified' | 'invalid';
  email: string | undefined;
  /** Set when this installation shows mails on a page instead of sending them. */
  mailboxPath: string | undefined;
}

export function VerifyEmailPanel({ state, email, mailboxPath }: VerifyEmailPanelProps) {
  const [typed, setTyped] = useState(email ?? '');
  if (state === 'verified') {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="ok" title="Email address verified">
          Next, create your organization and its first cluster.
        </Notice>
        <Button asChild variant="primary">
          <Link href="/app">Continue</Link>
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {state === 'invalid' ? (
        <Notice tone="danger" title="This link has expired or has already been used">
          If you’ve already verified your address, sign in. Otherwise, request a new link.
        </Notice>
      ) : (
        <p className="text-ink-2 text-sm leading-6">
          We sent a link to <b className="break-all font-medium text-ink">{email ?? 'your address'}</b>. Open it on this
          device to continue. If it doesn’t arrive within a minute, check your spam folder or resend it.
        </p>
      )}
      {mailboxPath === undefined ? null : (
        <Notice title="Email is kept on this machine">
          This installation doesn’t send email.{' '}
          <Link href={mailboxPath} className="font-medium text-accent-ink underline underline-offset-4">
            Open the mailbox
          </Link>{' '}
          to find the link.
        </Notice>
      )}
      {email === undefined ? (
        <Field label="Email">
          {(control) => (
            <Input
              {...control}
              type="email"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="username"
            />
          )}
        </Field>
      ) : null}
      {emailFault(typed) === null ? <ResendVerification email={typed.trim()} /> : null}
    </div>
  );
}
