'use client';

import { Button, CopyButton, DialogActions } from '@penstock/ui';

/** Recovery codes for when the authenticator app is lost. Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div>
      <div className="flex items-center justify-between gap-4">
        <p className="font-medium text-ink text-sm">Recovery codes</p>
        <CopyButton text={codes.join('\n')} label="Copy codes" />
      </div>
      <p className="mt-1 text-[0.8125rem] text-ink-3 leading-5">
        Each code works once, in place of the authenticator app. Store them apart from your password. They won’t be
        shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg border border-line bg-inset p-4 font-mono text-ink text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          I’ve saved them
        </Button>
      </DialogActions>
    </div>
  );
}
