'use client';

import { Button, CodeBlock, Dialog, DialogActions, Notice } from '@penstock/ui';
import type { ReactNode } from 'react';

interface SecretDialogProps {
  /** The name of the secret, e.g. `API key`. */
  noun: string;
  /** Null when there is nothing to show. */
  plaintext: string | null;
  /** The form in which we store the secret. */
  storedAs?: string;
  /** Says how to proceed if the secret is lost. */
  whenLost: string;
  /** How to use the secret. */
  children: ReactNode;
  onClose: () => void;
}

/** The key is shown only once, so the dialog stays until the user confirms having copied it. */
export function SecretDialog({
  noun,
  plaintext,
  storedAs = 'its hash',
  whenLost,
  children,
  onClose,
}: SecretDialogProps) {
  return (
    <Dialog open={plaintext !== null} onClose={onClose} title={`Your new ${noun}`} mustBeConfirmed>
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Copy it now. It won’t be shown again">
          We store only {storedAs}. {whenLost}
        </Notice>
        <CodeBlock title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`} code={plaintext ?? ''} />
        {children}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I’ve copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
