'use client';

import { Card, useToast } from '@penstock/ui';
import { z } from 'zod';
import { Form } from '../../lib/forms';
import { authClient, newPassword, PasswordField, useAuthForm } from '../auth';

const changeInput = z.object({
  currentPassword: z.string().min(1, 'Enter your current password.'),
  newPassword,
});

export function ChangePasswordCard() {
  const toast = useToast();
  const form = useAuthForm({
    initial: { currentPassword: '', newPassword: '' },
    schema: changeInput,
    call: (input) => authClient.changePassword({ ...input, revokeOtherSessions: true }),
    onDone: () => {
      form.reset();
      toast({ title: 'Password changed', description: 'You were signed out of all other sessions.' });
    },
  });
  return (
    <Card title="Password" description="Changing your password signs you out of all other sessions.">
      <Form form={form} labels={['Change password', 'Changing…']} className="max-w-sm">
        <PasswordField form={form} name="currentPassword" label="Current password" kind="current" />
        <PasswordField form={form} name="newPassword" label="New password" kind="new" />
      </Form>
    </Card>
  );
}
