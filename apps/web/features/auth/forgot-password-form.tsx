'use client';

import { Notice } from '@penstock/ui';
import { useState } from 'react';
import { z } from 'zod';
import { Form, TextField } from '../../lib/forms';
import { authClient } from './auth-client';
import { emailInput } from './auth-inputs';
import { useAuthForm } from './use-auth-form';

export function ForgotPasswordForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useAuthForm({
    initial: { email: '' },
    schema: z.object({ email: emailInput }),
    call: ({ email }) => authClient.requestPasswordReset({ email, redirectTo: '/reset-password' }),
    onDone: (_answer, { email }) => setSentTo(email),
  });
  if (sentTo !== null) {
    return (
      <Notice tone="ok" title="Check your email">
        If there’s an account for {sentTo}, we’ve sent it a link. The link expires after one hour.
      </Notice>
    );
  }
  return (
    <Form form={form} labels={['Send reset link', 'Sending…']} variant="primary" isWide>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
    </Form>
  );
}
