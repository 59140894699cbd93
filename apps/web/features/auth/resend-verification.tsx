'use client';

import { Button } from '@penstock/ui';
import { useState } from 'react';
import { authClient } from './auth-client';
import { useSubmit } from './use-submit';
import { VERIFIED_URL } from './verified-url';

/** Resends the verification mail and confirms it. */
export function ResendVerification({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const { pending, message, submit } = useSubmit();
  if (sent) {
    return (
      <p role="status" className="text-ink-2 text-sm">
        We sent a new link to {email}. Use the newest email.
      </p>
    );
  }
  return (
    <div className="mt-2">
      <Button
        size="sm"
        pending={pending}
        onClick={() =>
          void submit(
            () => authClient.sendVerificationEmail({ email, callbackURL: VERIFIED_URL }),
            () => setSent(true),
          )
        }
      >
        {pending ? 'Sending…' : 'Resend email'}
      </Button>
      {message === null ? null : (
        <p role="alert" className="mt-2 text-[0.8125rem] text-danger-ink">
          {message}
        </p>
      )}
    </div>
  );
}
