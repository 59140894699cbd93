'use client';

import { Button } from '@penstock/ui';
import { useState } from 'react';
import { authClient } from './auth-client';
import { CodeForm } from './proof-forms';

/** After the password: a code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ onSignedIn, onBack }: { onSignedIn: () => void; onBack: () => void }) {
  const [kind, setKind] = useState<'app' | 'recovery'>('app');
  return (
    <CodeForm<object>
      key={kind}
      kind={kind}
      call={(code) =>
        kind === 'app' ? authClient.twoFactor.verifyTotp({ code }) : authClient.twoFactor.verifyBackupCode({ code })
      }
      onDone={onSignedIn}
      labels={['Sign in', 'Checking…']}
      variant="primary"
      isWide
      // This form replaces the one that had the focus.
      autoFocus
      buttons={
        <div className="flex flex-wrap justify-between gap-2">
          <Button variant="quiet" size="sm" onClick={() => setKind(kind === 'app' ? 'recovery' : 'app')}>
            {kind === 'app' ? 'Use a recovery code' : 'Use the authenticator app'}
          </Button>
          <Button variant="quiet" size="sm" onClick={onBack}>
            Start over
          </Button>
        </div>
      }
    />
  );
}
