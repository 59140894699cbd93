'use client';

import { Button, Card, Notice, useToast } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { authClient, newPasswordFault, PasswordField, useSubmit } from '../auth';

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
        <PasswordField
          label="Current password"
          kind="current"
          value={current}
          onChange={setCurrent}
          error={faults.current}
        />
        <PasswordField label="New password" kind="new" value={next} onChange={setNext} error={faults.next} />
        <div>
          <Button type="submit" pending={pending}>
            {pending ? 'Changing…' : 'Change password'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
