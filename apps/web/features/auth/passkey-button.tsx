'use client';

import { Button } from '@penstock/ui';
import { Fingerprint } from 'lucide-react';
import { authClient } from './auth-client';
import { useSubmit } from './use-submit';

/** Signs in with any passkey that the device offers; no address needs to be typed. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: () => void }) {
  const { pending, message, submit } = useSubmit();
  return (
    <div className="flex flex-col gap-2">
      <Button pending={pending} onClick={() => void submit(() => authClient.signIn.passkey(), onSignedIn)}>
        <Fingerprint aria-hidden />
        {pending ? 'Waiting for your device…' : 'Use a passkey'}
      </Button>
      {message === null ? null : (
        <p role="alert" className="text-[0.8125rem] text-danger-ink leading-5">
          {message}
        </p>
      )}
    </div>
  );
}
