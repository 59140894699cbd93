'use client';

import { Button, DialogActions, Notice } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { type AuthAnswer, PasswordField, useSubmit } from '../auth';

/** Asks for the password before a change to sign-in methods. */
export function PasswordStep<T extends object>({
  call,
  onDone,
  onCancel,
  confirmLabel,
  tone = 'primary',
}: {
  call: (password: string) => Promise<AuthAnswer<T>>;
  onDone: (data: T) => void;
  onCancel: () => void;
  confirmLabel: string;
  tone?: 'primary' | 'danger';
}) {
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { pending, message, submit } = useSubmit();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setFault(password === '' ? 'Enter your password.' : undefined);
    if (password !== '') {
      void submit(() => call(password), onDone);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <PasswordField label="Your password" kind="current" value={password} onChange={setPassword} error={fault} />
      {message === null ? null : <Notice tone="danger" title={message} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant={tone} pending={pending}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
