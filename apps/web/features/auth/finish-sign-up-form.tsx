'use client';

import { Button, Field, Input, Notice, Skeleton } from '@penstock/ui';
import Link from 'next/link';
import { type FormEvent, useEffect, useState } from 'react';
import { forgetLinkToken, hasLinkToken, takeLinkToken } from '../../lib/link-token';
import { authClient } from './auth-client';
import { PasswordField } from './password-field';
import { useSubmit } from './use-submit';
import { newPasswordFault } from './validate';

/** The page behind a sign-up's link. Opening it changes nothing: scanners of mails open links, too. */
export function FinishSignUpForm() {
  const [token, setToken] = useState<string | null | undefined>(undefined);
  const [email, setEmail] = useState<string | null>(null);
  const { failure, message, submit } = useSubmit();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is opened once, when the page has loaded
  useEffect(() => {
    const found = takeLinkToken('sign-up');
    setToken(found);
    if (found !== null) {
      void submit(
        () => authClient.$fetch<{ email: string }>('/sign-up/open', { method: 'POST', body: { token: found } }),
        (answer) => setEmail(answer.email),
      );
    }
  }, []);
  if (email !== null && typeof token === 'string') {
    return <ChoosePassword email={email} token={token} />;
  }
  if (token === null || failure?.code === 'INVALID_TOKEN') {
    return <LinkNotUsable />;
  }
  if (message !== null) {
    return <Notice tone="danger" title={message} />;
  }
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Checking the link</span>
      <Skeleton className="h-56 rounded-lg" />
    </div>
  );
}

function LinkNotUsable() {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="danger" title="This link has expired or has already been used">
        A link works once and expires after one day. If you’ve already set your password, sign in.
      </Notice>
      <Button asChild variant="primary">
        <Link href="/sign-up">Request a new link</Link>
      </Button>
    </div>
  );
}

interface Faults {
  name?: string;
  password?: string;
}

function ChoosePassword({ email, token }: { email: string; token: string }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const { pending, failure, message, submit } = useSubmit();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found: Faults = {};
    if (name.trim() === '') {
      found.name = 'Enter your name.';
    }
    const wrongPassword = newPasswordFault(password);
    if (wrongPassword !== null) {
      found.password = wrongPassword;
    }
    setFaults(found);
    if (Object.keys(found).length > 0) {
      return;
    }
    void submit(
      () => authClient.$fetch<{ user: object }>('/sign-up/finish', { method: 'POST', body: { token, name, password } }),
      () => {
        forgetLinkToken('sign-up');
        // A full load, so that the dashboard starts with the new session.
        window.location.assign(hasLinkToken('invitation') ? '/invitation' : '/app');
      },
    );
  };

  if (failure?.code === 'INVALID_TOKEN') {
    return <LinkNotUsable />;
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : (
        <Notice tone="danger" title={message}>
          {failure?.code === 'ACCOUNT_EXISTS' ? (
            <Link href="/sign-in" className="font-medium text-accent-ink underline underline-offset-4">
              Sign in
            </Link>
          ) : undefined}
        </Notice>
      )}
      <Field label="Email">
        {(control) => <Input {...control} type="email" value={email} readOnly autoComplete="username" />}
      </Field>
      <Field label="Name" error={faults.name}>
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="name" />
        )}
      </Field>
      <PasswordField label="Password" kind="new" value={password} onChange={setPassword} error={faults.password} />
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Creating account…' : 'Create account'}
      </Button>
    </form>
  );
}
