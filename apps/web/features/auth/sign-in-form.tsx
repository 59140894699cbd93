'use client';

import { buttonClass } from '@penstock/ui';
import { Building2 } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { z } from 'zod';
import { Form, TextField } from '../../lib/forms';
import { authClient } from './auth-client';
import { currentPassword, emailInput } from './auth-inputs';
import { TextLink } from './auth-page';
import { PasskeyButton } from './passkey-button';
import { PasswordField } from './password-field';
import { SecondFactorForm } from './second-factor-form';
import { useAuthForm } from './use-auth-form';

const signInInput = z.object({ email: emailInput, password: currentPassword });

export function SignInForm({ nextPath }: { nextPath: string }) {
  const [isCodeDue, setIsCodeDue] = useState(false);
  // A full load, so that no data of an earlier session stays in memory.
  const onSignedIn = () => window.location.assign(nextPath);
  const form = useAuthForm({
    initial: { email: '', password: '' },
    schema: signInInput,
    call: (input) => authClient.signIn.email(input),
    onDone: (data) => {
      if ('twoFactorRedirect' in data) {
        form.setValue('password', '');
        setIsCodeDue(true);
      } else {
        onSignedIn();
      }
    },
  });
  if (isCodeDue) {
    return <SecondFactorForm onSignedIn={onSignedIn} onBack={() => setIsCodeDue(false)} />;
  }
  return (
    <Form
      form={form}
      labels={['Sign in', 'Signing in…']}
      variant="primary"
      isWide
      remedy={({ code }) =>
        code === 'EMAIL_NOT_VERIFIED' ? <TextLink href="/sign-up">Create account</TextLink> : undefined
      }
      buttons={
        <>
          <PasskeyButton onSignedIn={onSignedIn} />
          <Link href={`/sign-in/sso?next=${encodeURIComponent(nextPath)}`} className={buttonClass()}>
            <Building2 aria-hidden />
            Continue with single sign-on
          </Link>
        </>
      }
    >
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        kind="current"
        aside={
          <span className="text-[0.8125rem]">
            <TextLink href="/forgot-password">Forgot password?</TextLink>
          </span>
        }
      />
    </Form>
  );
}
