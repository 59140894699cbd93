'use client';

import { Button, Notice } from '@penstock/ui';
import { isOutdated, toFailure } from './failure';

/** Shows the failure of an action or a load where it happened. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const failure = toFailure(error);
  const action = isOutdated(failure)
    ? { label: 'Reload', onClick: () => window.location.reload() }
    : onRetry && { label: 'Try again', onClick: onRetry };
  return (
    <Notice
      tone="danger"
      title={failure.message}
      {...(action === undefined
        ? {}
        : {
            action: (
              <Button size="sm" onClick={action.onClick}>
                {action.label}
              </Button>
            ),
          })}
    >
      {failure.remedy}
    </Notice>
  );
}
