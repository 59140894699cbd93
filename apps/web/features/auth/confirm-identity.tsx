'use client';

import { CONFIRMATION_HEADER } from '@penstock/identity/inputs';
import { Button, Dialog, DialogActions, Field, Input, Notice, SkeletonRows } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { type FormEvent, useCallback, useState, useSyncExternalStore } from 'react';
import { useSession } from '../../lib/session';
import { type Confirmations, FailureNotice, useConfirmations, useTRPC } from '../../lib/trpc';
import { authClient } from './auth-client';
import { ConfirmBySso } from './confirm-by-sso';
import { PasswordField } from './password-field';
import { useSubmit } from './use-submit';

const never = () => () => undefined;
const no = () => false;

/** Asks for the password, a code, a passkey or a sign-in at the provider when the server refuses a change until then. */
export function ConfirmIdentity() {
  const confirmations = useConfirmations();
  const isAsked = useSyncExternalStore(confirmations?.subscribe ?? never, confirmations?.isAsked ?? no, no);
  if (confirmations === null) {
    return null;
  }
  return (
    <Dialog
      open={isAsked}
      onOpenChange={(open) => {
        if (!open) {
          confirmations.settle(false);
        }
      }}
      title="Confirm your identity"
      description="This change requires a recent sign-in. We won’t ask again for 15 minutes."
      dismissOnOutsideClick={false}
    >
      <Proof confirmations={confirmations} />
    </Dialog>
  );
}

function Proof({ confirmations }: { confirmations: Confirmations }) {
  const trpc = useTRPC();
  const { isSso } = useSession();
  const security = useQuery(trpc.account.security.queryOptions());
  const cancel = () => confirmations.settle(false);
  const confirm = useCallback(() => confirmations.settle(true), [confirmations]);
  if (isSso) {
    return <ConfirmBySso onConfirmed={confirm} onCancel={cancel} />;
  }
  if (security.data === undefined) {
    return security.error === null ? (
      <SkeletonRows rows={1} label="Loading sign-in methods" />
    ) : (
      <FailureNotice error={security.error} onRetry={() => void security.refetch()} />
    );
  }
  const { isTwoFactorOn, passkeys } = security.data;
  return (
    <ProofForm isTwoFactorOn={isTwoFactorOn} hasPasskey={passkeys.length > 0} onConfirmed={confirm} onCancel={cancel} />
  );
}

interface ProofFormProps {
  isTwoFactorOn: boolean;
  hasPasskey: boolean;
  onConfirmed: () => void;
  onCancel: () => void;
}

function ProofForm({ isTwoFactorOn, hasPasskey, onConfirmed, onCancel }: ProofFormProps) {
  const [isCode, setIsCode] = useState(isTwoFactorOn);
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { pending, message, submit } = useSubmit();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const code = typed.replaceAll(/\s/g, '');
    const isComplete = isCode ? /^\d{6}$/.test(code) : typed !== '';
    setFault(isComplete ? undefined : isCode ? 'Enter the six-digit code from the app.' : 'Enter your password.');
    if (isComplete) {
      const [path, body] = isCode ? ['/confirm/code', { code }] : ['/confirm/password', { password: typed }];
      void submit(() => authClient.$fetch<object>(path, { method: 'POST', body }), onConfirmed);
    }
  };
  const confirmByPasskey = () =>
    void submit(
      () => authClient.signIn.passkey({ fetchOptions: { headers: { [CONFIRMATION_HEADER]: 'yes' } } }),
      onConfirmed,
    );
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {isCode ? (
        <Field label="Code from your authenticator app" error={fault} hint="Six digits">
          {(control) => (
            <Input
              {...control}
              autoFocus
              inputMode="numeric"
              autoComplete="one-time-code"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="font-mono"
            />
          )}
        </Field>
      ) : (
        <PasswordField label="Your password" kind="current" value={typed} onChange={setTyped} error={fault} autoFocus />
      )}
      {message === null ? null : <Notice tone="danger" title={message} />}
      {isTwoFactorOn || hasPasskey ? (
        <div className="flex flex-wrap gap-2">
          {isTwoFactorOn ? (
            <Button
              variant="quiet"
              size="sm"
              onClick={() => {
                setIsCode(!isCode);
                setTyped('');
                setFault(undefined);
              }}
            >
              {isCode ? 'Use your password' : 'Use the authenticator app'}
            </Button>
          ) : null}
          {hasPasskey ? (
            <Button variant="quiet" size="sm" onClick={confirmByPasskey}>
              <Fingerprint aria-hidden />
              Use a passkey
            </Button>
          ) : null}
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {pending ? 'Checking…' : 'Confirm'}
        </Button>
      </DialogActions>
    </form>
  );
}
