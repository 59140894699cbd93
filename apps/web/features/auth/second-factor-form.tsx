'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { authClient } from './auth-client';
import { useSubmit } from './use-submit';

/** After the password: a code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ onSignedIn, onBack }: { onSignedIn: () => void; onBack: () => void }) {
  const [code, setCode] = useState('');
  const [isRecovery, setIsRecovery] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { pending, message, submit } = useSubmit();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const typed = code.replaceAll(/\s/g, '');
    const isComplete = isRecovery ? typed !== '' : /^\d{6}$/.test(typed);
    setFault(
      isComplete
        ? undefined
        : isRecovery
          ? 'Enter one of your recovery codes.'
          : 'Enter the six-digit code from the app.',
    );
    if (isComplete) {
      void submit(
        async () =>
          isRecovery
            ? authClient.twoFactor.verifyBackupCode({ code: typed })
            : authClient.twoFactor.verifyTotp({ code: typed }),
        onSignedIn,
      );
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {message === null ? null : <Notice tone="danger" title={message} />}
      <Field
        label={isRecovery ? 'Recovery code' : 'Code from your authenticator app'}
        error={fault}
        hint={
          isRecovery ? 'One of the codes you saved when you set up two-factor sign-in. Each works once.' : 'Six digits'
        }
      >
        {(control) => (
          <Input
            {...control}
            // This form replaces the one that had the focus.
            autoFocus
            inputMode={isRecovery ? 'text' : 'numeric'}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" pending={pending}>
        {pending ? 'Checking…' : 'Sign in'}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            setIsRecovery(!isRecovery);
            setCode('');
            setFault(undefined);
          }}
        >
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
        <Button variant="quiet" size="sm" onClick={onBack}>
          Start over
        </Button>
      </div>
    </form>
  );
}
