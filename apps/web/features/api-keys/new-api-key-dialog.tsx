'use client';

import { Button, CodeBlock, Dialog, DialogActions, Notice } from '@penstock/ui';

/** The only time that a key can be seen: it does not close by a stray click. */
export function NewApiKeyDialog({ plaintext, onClose }: { plaintext: string | null; onClose: () => void }) {
  const origin = typeof window === 'undefined' ? '' : window.location.origin;
  return (
    <Dialog
      open={plaintext !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title="Your new API key"
      dismissOnOutsideClick={false}
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Copy it now: it is shown only this once">
          We keep only its hash. If it is lost, rotate it or create another.
        </Notice>
        <CodeBlock title="API key" code={plaintext ?? ''} />
        <CodeBlock
          title="Try it"
          code={`curl -H "Authorization: Bearer ${plaintext ?? ''}" ${origin}/api/v1/clusters`}
        />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
