'use client';

import { CodeBlock, Dialog, useToast } from '@penstock/ui';
import { useState } from 'react';
import { useSession } from '../../lib/session';
import { authClient, CodeForm, PasswordForm } from '../auth';
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
      onClose={close}
      title="Set up two-factor sign-in"
      dismissOnOutsideClick={enrolment === null}
      mustBeConfirmed={isOn}
    >
      {enrolment === null ? (
        <PasswordForm
          call={(password) => authClient.twoFactor.enable({ password })}
          onDone={(data) => {
            if ('totpURI' in data) {
              setEnrolment(data);
            }
          }}
          onCancel={close}
          labels={['Continue', 'Continue']}
        />
      ) : isOn ? (
        <RecoveryCodes codes={enrolment.backupCodes} onDone={close} />
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
  return (
    <CodeForm<object>
      call={(code) => authClient.twoFactor.verifyTotp({ code })}
      onDone={onDone}
      onCancel={onCancel}
      labels={['Turn on', 'Checking…']}
      before={
        <>
          <p className="text-ink-2 text-sm leading-6">
            Scan the QR code with an authenticator app, or enter the key by hand. Then enter the code that the app
            shows.
          </p>
          <div className="flex justify-center">
            <QrCode text={totpURI} label="QR code for the authenticator app" />
          </div>
          <CodeBlock title="Key" code={new URL(totpURI).searchParams.get('secret') ?? ''} />
        </>
      }
    />
  );
}
