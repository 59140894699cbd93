'use client';

import { Badge, Button, Card, Dialog, SkeletonRows, useToast } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { authClient, PasswordForm } from '../auth';
import { RecoveryCodes } from './recovery-codes';
import { SetUpTwoFactor } from './set-up-two-factor';
import { useRefreshSecurity } from './use-refresh-security';

type Question = 'set-up' | 'turn-off' | 'codes';

/** An authenticator app as the second factor in addition to the password. */
export function TwoFactorCard() {
  const trpc = useTRPC();
  const security = useQuery(trpc.account.security.queryOptions());
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  if (security.data === undefined) {
    return (
      <Card title="Two-factor sign-in">
        {security.error === null ? (
          <SkeletonRows rows={1} label="Loading two-factor sign-in" />
        ) : (
          <FailureNotice error={security.error} onRetry={() => void security.refetch()} />
        )}
      </Card>
    );
  }
  const isOn = security.data.isTwoFactorOn;
  return (
    <Card
      title="Two-factor sign-in"
      description="Require a code from an authenticator app in addition to your password."
      actions={isOn ? <Badge tone="ok">On</Badge> : <Badge>Off</Badge>}
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button onClick={() => setQuestion('codes')}>New recovery codes</Button>
            <Button onClick={() => setQuestion('turn-off')}>Turn off</Button>
          </>
        ) : (
          <Button onClick={() => setQuestion('set-up')}>Set up</Button>
        )}
      </div>
      <SetUpTwoFactor open={question === 'set-up'} onClose={close} />
      <TurnOffDialog open={question === 'turn-off'} onClose={close} />
      <NewCodesDialog open={question === 'codes'} onClose={close} />
    </Card>
  );
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
}

function TurnOffDialog({ open, onClose }: DialogProps) {
  const toast = useToast();
  const refresh = useRefreshSecurity();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Turn off two-factor sign-in?"
      description="You will need only your password to sign in. Your recovery codes will stop working."
    >
      <PasswordForm
        call={(password) => authClient.twoFactor.disable({ password })}
        onDone={() => {
          toast({ title: 'Two-factor sign-in is off' });
          onClose();
          void refresh();
        }}
        onCancel={onClose}
        labels={['Turn off', 'Turn off']}
        variant="danger"
      />
    </Dialog>
  );
}

function NewCodesDialog({ open, onClose }: DialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setCodes(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="New recovery codes"
      description="Your current recovery codes will stop working."
      mustBeConfirmed={codes !== null}
    >
      {codes === null ? (
        <PasswordForm
          call={(password) => authClient.twoFactor.generateBackupCodes({ password })}
          onDone={({ backupCodes }) => setCodes(backupCodes)}
          onCancel={close}
          labels={['Generate new codes', 'Generate new codes']}
        />
      ) : (
        <RecoveryCodes codes={codes} onDone={close} />
      )}
    </Dialog>
  );
}
