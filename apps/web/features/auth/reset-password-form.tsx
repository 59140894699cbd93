'use client';

import { Button, Notice } from '@penstock/ui';
import Link from 'next/link';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '../../lib/forms';
import { authClient } from './auth-client';
import { newPassword } from './auth-inputs';
import { PasswordField } from './password-field';
import { useAuthForm } from './use-auth-form';

/** Shown instead of the form when its link can’t be used. */
export function ResetLinkNotUsable() {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="danger" title="This link has expired or has already been used">
        A reset link works once and expires after one hour.
      </Notice>
      <Button asChild variant="primary">
        <Link href="/forgot-password">Request a new link</Link>
      </Button>
    </div>
  );
}

export function ResetPasswordForm({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  const form = useAuthForm({
    initial: { password: '' },
    schema: z.object({ password: newPassword }),
    call: ({ password }) => authClient.resetPassword({ newPassword: password, token }),
    onDone: () => setDone(true),
  });
  if (done) {
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="ok" title="Password changed">
          Sign in with your new password.
        </Notice>
        <Button asChild variant="primary">
          <Link href="/sign-in">Sign in</Link>
        </Button>
      </div>
    );
  }
  if (form.failure?.code === 'INVALID_TOKEN') {
    return <ResetLinkNotUsable />;
  }
  return (
    <Form form={form} labels={['Set new password', 'Saving…']} variant="primary" isWide>
      <PasswordField form={form} name="password" label="New password" kind="new" />
    </Form>
  );
}
