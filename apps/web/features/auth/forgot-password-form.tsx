'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { authClient } from './auth-client';
import { useSubmit } from './use-submit';
import { emailFault } from './validate';

export function ForgotPasswordForm() {
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { pending, message, submit } = useSubmit();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = emailFault(email);
    setFault(wrong);
    if (wrong !== null) {
      return;
    }
    const address = email.trim();
    void submit(
      () => authClient.requestPasswordReset({ email: address, redirectTo: '/reset-password' }),
      () => setSentTo(address),
    );
  };

  if (sentTo !== null) {
    return (
      <Notice tone="ok" title="Check your email">
        If there’s an account for {sentTo}, we’ve sent it a link. The link expires after one hour.
      </Notice>
    );
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : <Notice tone="danger" title={message} />}
      <Field label="Email" error={fault ?? undefined}>
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
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Sending…' : 'Send reset link'}
      </Button>
    </form>
  );
}
