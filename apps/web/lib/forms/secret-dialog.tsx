'use client';

import { Button, CodeBlock, Dialog, DialogActions, Notice } from '@penstock/ui';
import type { ReactNode } from 'react';

interface SecretDialogProps {
  /** What the secret is called, e.g. `API key`. */
  noun: string;
  /** Null: there is none to show. */
  plaintext: string | null;
  /** What to do when it is lost. */
  whenLost: string;
  /** How it is used. */
  children: ReactNode;
  onClose: () => void;
}

/** The only time that a key can be seen: it stays until the person says that it is copied. */
export function SecretDialog({ noun, plaintext, whenLost, children, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open={plaintext !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={`Your new ${noun}`}
      mustBeConfirmed
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Copy it now. It won’t be shown again">
          We store only its hash. {whenLost}
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
