'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { authClient } from './auth-client';
import { ssoRefusal } from './sso-refusal';
import { useSubmit } from './use-submit';
import { emailFault } from './validate';

/** Finds the organization's identity provider by the email domain and redirects to it. */
export function SsoForm({ nextPath, refusedCode }: { nextPath: string; refusedCode?: string | undefined }) {
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isLeaving, setIsLeaving] = useState(false);
  const { pending, message, submit } = useSubmit();
  const refused = ssoRefusal(refusedCode);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = emailFault(email);
    setFault(wrong ?? undefined);
    if (wrong !== null) {
      return;
    }
    void submit(
      () =>
        authClient.$fetch<{ url: string }>('/sso/start', {
          method: 'POST',
          body: { email: email.trim(), next: nextPath },
        }),
      ({ url }) => {
        setIsLeaving(true);
        window.location.assign(url);
      },
    );
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? (
        refused === null ? null : (
          <Notice tone="danger" title={refused} />
        )
      ) : (
        <Notice tone="danger" title={message} />
      )}
      <Field label="Work email" error={fault}>
        {(control) => (
          <Input
            {...control}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="username"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" pending={pending || isLeaving}>
        {pending || isLeaving ? 'Redirecting…' : 'Continue'}
      </Button>
    </form>
  );
}
