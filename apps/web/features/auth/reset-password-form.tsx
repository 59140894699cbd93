'use client';

import { Button, Notice } from '@penstock/ui';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { authClient } from './auth-client';
import { PasswordField } from './password-field';
import { useSubmit } from './use-submit';
import { newPasswordFault } from './validate';

/** Shown instead of the form when its link can’t be used. */
export function ResetLinkNotUsable() {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="danger" title="This link has expired or has already been used">
        A reset link works once and expires after one hour.
      </Notice>
      <Button asChild variant="primary">
        <Link href="/forgot-password">Request a new link</Link>
      </Button>
    </div>
  );
}

export function ResetPasswordForm({ token }: { token: string }) {
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState(false);
  const { pending, failure, message, submit } = useSubmit();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = newPasswordFault(password);
    setFault(wrong);
    if (wrong !== null) {
      return;
    }
    void submit(
      () => authClient.resetPassword({ newPassword: password, token }),
      () => setDone(true),
    );
  };

  if (done) {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="ok" title="Password changed">
          Sign in with your new password.
        </Notice>
        <Button asChild variant="primary">
          <Link href="/sign-in">Sign in</Link>
        </Button>
      </div>
    );
  }
  if (failure?.code === 'INVALID_TOKEN') {
    return <ResetLinkNotUsable />;
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : <Notice tone="danger" title={message} />}
      <PasswordField
        label="New password"
        kind="new"
        value={password}
        onChange={setPassword}
        error={fault ?? undefined}
      />
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Saving…' : 'Set new password'}
      </Button>
    </form>
  );
}
