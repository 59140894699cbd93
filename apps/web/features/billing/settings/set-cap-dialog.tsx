'use client';

import { Notice } from '@penstock/ui';
import { ConfirmDialog } from '../../../lib/forms';
import { isCapReached, money } from '../money';

interface SetCapDialogProps {
  /** The cap to be set; null if none is. */
  capUsd: string | null;
  /** The month’s usage so far; undefined until it is known. */
  costUsd: string | undefined;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Explains a cap before it is set, because it can stop all producers at once. */
export function SetCapDialog({ capUsd, costUsd, onConfirm, onClose }: SetCapDialogProps) {
  const cap = money(capUsd ?? '0');
  const isReached = capUsd !== null && costUsd !== undefined && isCapReached(costUsd, capUsd);
  return (
    <ConfirmDialog
      open={capUsd !== null}
      title={`Set a spending cap of ${cap}?`}
      labels={[isReached ? 'Stop all producers' : 'Set cap', 'Setting…']}
      variant={isReached ? 'danger' : 'primary'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {isReached ? (
          <Notice tone="warn" title="Producers stop immediately">
            This month’s usage is {money(costUsd)}, which already reaches this cap.
          </Notice>
        ) : null}
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>
            {isReached ? 'All' : `When this month’s usage, before credits, reaches ${cap}, all`} producers in this
            organization get <code className="font-mono">POLICY_VIOLATION</code>.
          </li>
          <li>Consumers can still read, and nothing is deleted.</li>
          <li>Producers can write again when the cap is raised or removed, or when the next month starts (UTC).</li>
        </ul>
        {isReached || costUsd === undefined ? null : <p>This month’s usage is {money(costUsd)} so far.</p>}
      </div>
    </ConfirmDialog>
  );
}
