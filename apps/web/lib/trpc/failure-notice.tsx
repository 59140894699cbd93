'use client';

import { Button, Notice } from '@penstock/ui';
import { toFailure } from './failure';

/** Shows the failure of an action or a load where it happened. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const failure = toFailure(error);
  return (
    <Notice
      tone="danger"
      title={failure.message}
      {...(onRetry === undefined
        ? {}
        : {
            action: (
              <Button size="sm" onClick={onRetry}>
                Try again
              </Button>
            ),
          })}
    >
      {failure.remedy}
    </Notice>
  );
}
