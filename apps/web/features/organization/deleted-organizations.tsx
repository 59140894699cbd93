'use client';

import { Button, buttonClass, Card } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { DateTime } from '../../lib/time';
import { FailureNotice, useTRPC } from '../../lib/trpc';

/** Deleted organizations that the user owned and can still restore. Renders nothing when there are none. */
export function DeletedOrganizations() {
  const trpc = useTRPC();
  const deleted = useQuery(trpc.organization.listDeleted.queryOptions());
  const restore = useMutation(
    // A full load: session and caches start over with the organization.
    trpc.organization.restore.mutationOptions({ onSuccess: () => window.location.assign('/app') }),
  );
  if (deleted.data === undefined || deleted.data.length === 0) {
    return null;
  }
  return (
    <Card
      title="Deleted organizations"
      description="Restoring an organization brings back its members, settings and clusters. You’ll need to create new keys."
    >
      {restore.error === null ? null : (
        <div className="mb-4">
          <FailureNotice error={restore.error} />
        </div>
      )}
      <ul className="flex flex-col gap-3">
        {deleted.data.map(({ organizationId, name, restorableUntil }) => (
          <li key={organizationId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0">
              <p className="break-words font-medium text-ink text-sm">{name}</p>
              <p className="text-[0.8125rem] text-ink-3">
                Until <DateTime timeMs={restorableUntil.getTime()} />
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <a
                href={`/app/organization/export?organizationId=${encodeURIComponent(organizationId)}`}
                download
                className={buttonClass('secondary', 'sm')}
                aria-label={`Export ${name}`}
              >
                Export
              </a>
              <Button
                size="sm"
                pending={restore.isPending && restore.variables.organizationId === organizationId}
                onClick={() => restore.mutate({ organizationId })}
                aria-label={`Restore ${name}`}
              >
                Restore
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
