'use client';

import { Button, Dialog, DialogActions, Notice } from '@penstock/ui';
import { FailureNotice } from '../../../lib/trpc';
import { isCapReached, money } from '../money';

interface SetCapDialogProps {
  /** The cap to be set; null removes it. */
  capUsd: string | null;
  /** The month's usage so far; undefined until it is known. */
  costUsd: string | undefined;
  isPending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Explains a cap before it is set, because it can stop all producers at once. */
export function SetCapDialog({ capUsd, ...rest }: SetCapDialogProps) {
  return (
    <Dialog
      open={capUsd !== null}
      onOpenChange={(open) => {
        if (!open) {
          rest.onClose();
        }
      }}
      title={`Set a spending cap of ${money(capUsd ?? '0')}?`}
    >
      {capUsd === null ? null : <Consequences capUsd={capUsd} {...rest} />}
    </Dialog>
  );
}

function Consequences({
  capUsd,
  costUsd,
  isPending,
  error,
  onConfirm,
  onClose,
}: Omit<SetCapDialogProps, 'capUsd'> & { capUsd: string }) {
  const isReached = costUsd !== undefined && isCapReached(costUsd, capUsd);
  return (
    <>
      <div className="flex flex-col gap-4">
        {isReached ? (
          <Notice tone="warn" title="Producers stop immediately">
            This month’s usage is {money(costUsd)}, which already reaches this cap.
          </Notice>
        ) : null}
        <ul className="flex list-disc flex-col gap-2 pl-5 text-ink-2 text-sm leading-6">
          <li>
            {isReached ? 'All' : `When this month’s usage, before credits, reaches ${money(capUsd)}, all`} producers in
            this organization get <code className="font-mono">POLICY_VIOLATION</code>.
          </li>
          <li>Consumers can still read, and nothing is deleted.</li>
          <li>Producers can write again when the cap is raised or removed, or when the next month starts (UTC).</li>
        </ul>
        {isReached || costUsd === undefined ? null : (
          <p className="text-ink-2 text-sm leading-6">This month’s usage is {money(costUsd)} so far.</p>
        )}
        {error === null ? null : <FailureNotice error={error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={isReached ? 'danger' : 'primary'} pending={isPending} onClick={onConfirm}>
          {isPending ? 'Setting…' : isReached ? 'Stop all producers' : 'Set cap'}
        </Button>
      </DialogActions>
    </>
  );
}
