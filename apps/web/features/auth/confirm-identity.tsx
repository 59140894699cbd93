'use client';

import { CONFIRMATION_HEADER } from '@penstock/identity/inputs';
import { Button, Dialog, Notice, SkeletonRows } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useSession } from '../../lib/session';
import { type Confirmations, FailureNotice, useConfirmations, useTRPC } from '../../lib/trpc';
import { authClient } from './auth-client';
import { ConfirmBySso } from './confirm-by-sso';
import { CodeForm, PasswordForm } from './proof-forms';
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
      onClose={() => confirmations.settle(false)}
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
  const { message, submit } = useSubmit();
  const confirmByPasskey = () =>
    void submit(
      () => authClient.signIn.passkey({ fetchOptions: { headers: { [CONFIRMATION_HEADER]: 'yes' } } }),
      onConfirmed,
    );
  const ProofOf = isCode ? CodeForm : PasswordForm;
  return (
    <ProofOf<object>
      call={(typed) =>
        isCode
          ? authClient.$fetch<object>('/confirm/code', { method: 'POST', body: { code: typed } })
          : authClient.$fetch<object>('/confirm/password', { method: 'POST', body: { password: typed } })
      }
      onDone={onConfirmed}
      onCancel={onCancel}
      labels={['Confirm', 'Checking…']}
      autoFocus
    >
      {message === null ? null : <Notice tone="danger" title={message} />}
      {isTwoFactorOn || hasPasskey ? (
        <div className="flex flex-wrap gap-2">
          {isTwoFactorOn ? (
            <Button variant="quiet" size="sm" onClick={() => setIsCode(!isCode)}>
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
    </ProofOf>
  );
}
