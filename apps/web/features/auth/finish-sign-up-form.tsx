'use client';

import { Button, Field, Input, Notice, Skeleton } from '@penstock/ui';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { Form, TextField } from '../../lib/forms';
import { forgetLinkToken, hasLinkToken, takeLinkToken } from '../../lib/link-token';
import { authClient } from './auth-client';
import { newPassword } from './auth-inputs';
import { PasswordField } from './password-field';
import { useAuthForm } from './use-auth-form';
import { useSubmit } from './use-submit';

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

const accountInput = z.object({ name: z.string().trim().min(1, 'Enter your name.'), password: newPassword });

function ChoosePassword({ email, token }: { email: string; token: string }) {
  const form = useAuthForm({
    initial: { name: '', password: '' },
    schema: accountInput,
    call: (input) =>
      authClient.$fetch<{ user: object }>('/sign-up/finish', { method: 'POST', body: { token, ...input } }),
    onDone: () => {
      forgetLinkToken('sign-up');
      // A full load, so that the dashboard starts with the new session.
      window.location.assign(hasLinkToken('invitation') ? '/invitation' : '/app');
    },
  });
  if (form.failure?.code === 'INVALID_TOKEN') {
    return <LinkNotUsable />;
  }
  return (
    <Form
      form={form}
      labels={['Create account', 'Creating account…']}
      variant="primary"
      isWide
      remedy={({ code }) =>
        code === 'ACCOUNT_EXISTS' ? (
          <Link href="/sign-in" className="font-medium text-accent-ink underline underline-offset-4">
            Sign in
          </Link>
        ) : undefined
      }
    >
      <Field label="Email">
        {(control) => <Input {...control} type="email" value={email} readOnly autoComplete="username" />}
      </Field>
      <TextField form={form} name="name" label="Name" autoComplete="name" />
      <PasswordField form={form} name="password" label="Password" kind="new" />
    </Form>
  );
}
