'use client';

import { Button, CodeBlock, Dialog, DialogActions, Field, Input, Notice, useToast } from '@penstock/ui';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../lib/session';
import { authClient, useSubmit } from '../auth';
import { PasswordStep } from './password-step';
import { QrCode } from './qr-code';
import { RecoveryCodes } from './recovery-codes';
import { useRefreshSecurity } from './use-refresh-security';

interface Enrolment {
  totpURI: string;
  backupCodes: readonly string[];
}

/** Sets up two-factor sign-in: password, authenticator app, recovery codes. It is turned on by the first correct code. */
export function SetUpTwoFactor({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [isOn, setIsOn] = useState(false);
  const refresh = useRefreshSecurity();
  const toast = useToast();
  const { closed } = useSession();
  const close = () => {
    // A tab without an organization can’t take one on: the page loads anew.
    if (isOn && closed.behindTwoFactor.length > 0) {
      window.location.assign('/app');
      return;
    }
    setEnrolment(null);
    setIsOn(false);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) {
          close();
        }
      }}
      title="Set up two-factor sign-in"
      dismissOnOutsideClick={enrolment === null}
      mustBeConfirmed={isOn}
    >
      {enrolment === null ? (
        <PasswordStep
          call={(password) => authClient.twoFactor.enable({ password })}
          onDone={(data) => {
            if ('totpURI' in data) {
              setEnrolment(data);
            }
          }}
          onCancel={close}
          confirmLabel="Continue"
        />
      ) : isOn ? (
        <>
          <RecoveryCodes codes={enrolment.backupCodes} />
          <DialogActions>
            <Button variant="primary" onClick={close}>
              I’ve saved them
            </Button>
          </DialogActions>
        </>
      ) : (
        <CodeStep
          totpURI={enrolment.totpURI}
          onCancel={close}
          onDone={() => {
            setIsOn(true);
            toast({ title: 'Two-factor sign-in is on' });
            void refresh();
          }}
        />
      )}
    </Dialog>
  );
}

function CodeStep({ totpURI, onDone, onCancel }: { totpURI: string; onDone: () => void; onCancel: () => void }) {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { pending, message, submit } = useSubmit();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const digits = code.replaceAll(/\s/g, '');
    const isCode = /^\d{6}$/.test(digits);
    setFault(isCode ? undefined : 'Enter the six-digit code from the app.');
    if (isCode) {
      void submit(() => authClient.twoFactor.verifyTotp({ code: digits }), onDone);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <p className="text-ink-2 text-sm leading-6">
        Scan the QR code with an authenticator app, or enter the key by hand. Then enter the code that the app shows.
      </p>
      <div className="flex justify-center">
        <QrCode text={totpURI} label="QR code for the authenticator app" />
      </div>
      <CodeBlock title="Key" code={new URL(totpURI).searchParams.get('secret') ?? ''} />
      <Field label="Code from the app" error={fault}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="one-time-code"
            className="nums max-w-40 font-mono"
          />
        )}
      </Field>
      {message === null ? null : <Notice tone="danger" title={message} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {pending ? 'Checking…' : 'Turn on'}
        </Button>
      </DialogActions>
    </form>
  );
}
