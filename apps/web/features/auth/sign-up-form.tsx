'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { authClient } from './auth-client';
import { useSubmit } from './use-submit';
import { emailFault, newPasswordFault } from './validate';
import { VERIFIED_URL } from './verified-url';

interface Faults {
  name?: string;
  email?: string;
  password?: string;
}

export function SignUpForm() {
  const router = useRouter();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const { pending, message, submit } = useSubmit();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found: Faults = {};
    if (name.trim() === '') {
      found.name = 'Enter your name.';
    }
    const wrongEmail = emailFault(email);
    if (wrongEmail !== null) {
      found.email = wrongEmail;
    }
    const wrongPassword = newPasswordFault(password);
    if (wrongPassword !== null) {
      found.password = wrongPassword;
    }
    setFaults(found);
    if (Object.keys(found).length > 0) {
      return;
    }
    const address = email.trim();
    void submit(
      () => authClient.signUp.email({ name: name.trim(), email: address, password, callbackURL: VERIFIED_URL }),
      () => router.push(`/verify-email?email=${encodeURIComponent(address)}`),
    );
  };

  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : <Notice tone="danger" title={message} />}
      <Field label="Name" error={faults.name}>
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="name" />
        )}
      </Field>
      <Field label="Work email" error={faults.email}>
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
      <Field label="Password" error={faults.password} hint="At least 10 characters.">
        {(control) => (
          <Input
            {...control}
            type="password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Creating account…' : 'Create account'}
      </Button>
    </form>
  );
}
