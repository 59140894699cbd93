'use client';

import { Button, buttonClass, Field, Input, Notice } from '@penstock/ui';
import { Building2 } from 'lucide-react';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { authClient } from './auth-client';
import { TextLink } from './auth-page';
import { PasskeyButton } from './passkey-button';
import { PasswordField } from './password-field';
import { SecondFactorForm } from './second-factor-form';
import { useSubmit } from './use-submit';
import { emailFault } from './validate';

interface Faults {
  email?: string;
  password?: string;
}

export function SignInForm({ nextPath }: { nextPath: string }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [isCodeDue, setIsCodeDue] = useState(false);
  // A full load, so that no data of an earlier session stays in memory.
  const onSignedIn = () => window.location.assign(nextPath);
  const { pending, failure, message, submit } = useSubmit();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found: Faults = {};
    const wrongEmail = emailFault(email);
    if (wrongEmail !== null) {
      found.email = wrongEmail;
    }
    if (password === '') {
      found.password = 'Enter your password.';
    }
    setFaults(found);
    if (Object.keys(found).length > 0) {
      return;
    }
    void submit(
      () => authClient.signIn.email({ email: email.trim(), password }),
      (data) => {
        if ('twoFactorRedirect' in data) {
          setPassword('');
          setIsCodeDue(true);
        } else {
          onSignedIn();
        }
      },
    );
  };

  if (isCodeDue) {
    return <SecondFactorForm onSignedIn={onSignedIn} onBack={() => setIsCodeDue(false)} />;
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : (
        <Notice tone="danger" title={message}>
          {failure?.code === 'EMAIL_NOT_VERIFIED' ? <TextLink href="/sign-up">Create account</TextLink> : undefined}
        </Notice>
      )}
      <Field label="Email" error={faults.email}>
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
      <PasswordField
        label="Password"
        kind="current"
        value={password}
        onChange={setPassword}
        error={faults.password}
        aside={
          <span className="text-[0.8125rem]">
            <TextLink href="/forgot-password">Forgot password?</TextLink>
          </span>
        }
      />
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Signing in…' : 'Sign in'}
      </Button>
      <PasskeyButton onSignedIn={onSignedIn} />
      <Link href={`/sign-in/sso?next=${encodeURIComponent(nextPath)}`} className={buttonClass()}>
        <Building2 aria-hidden />
        Continue with single sign-on
      </Link>
    </form>
  );
}
