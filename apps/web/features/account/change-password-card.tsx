'use client';

import { Button, Card, Field, Input, Notice, useToast } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { authClient, newPasswordFault, useSubmit } from '../auth';

export function ChangePasswordCard() {
  const toast = useToast();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [faults, setFaults] = useState<{ current?: string; next?: string }>({});
  const { pending, message, submit } = useSubmit();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = newPasswordFault(next);
    const found = {
      ...(current === '' ? { current: 'Enter your current password.' } : {}),
      ...(wrong === null ? {} : { next: wrong }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) {
      return;
    }
    void submit(
      () => authClient.changePassword({ currentPassword: current, newPassword: next, revokeOtherSessions: true }),
      () => {
        setCurrent('');
        setNext('');
        toast({ title: 'Password changed', description: 'You were signed out of all other sessions.' });
      },
    );
  };
  return (
    <Card title="Password" description="Changing your password signs you out of all other sessions.">
      <form onSubmit={onSubmit} noValidate className="flex max-w-sm flex-col gap-4">
        {message === null ? null : <Notice tone="danger" title={message} />}
        <Field label="Current password" error={faults.current}>
          {(control) => (
            <Input
              {...control}
              type="password"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
              autoComplete="current-password"
            />
          )}
        </Field>
        <Field label="New password" error={faults.next} hint="At least 10 characters.">
          {(control) => (
            <Input
              {...control}
              type="password"
              value={next}
              onChange={(event) => setNext(event.target.value)}
              autoComplete="new-password"
            />
          )}
        </Field>
        <div>
          <Button type="submit" pending={pending}>
            {pending ? 'Changing…' : 'Change password'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
