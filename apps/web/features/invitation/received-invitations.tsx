'use client';

import { Button, Card } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ROLE_TEXTS } from '../../lib/roles';
import { FailureNotice, useTRPC } from '../../lib/trpc';

/** The user's pending invitations. Renders nothing when there are none. */
export function ReceivedInvitations() {
  const trpc = useTRPC();
  const received = useQuery(trpc.invitation.listReceived.queryOptions());
  const accept = useMutation(
    // A full load: session and caches start over in the new organization.
    trpc.invitation.accept.mutationOptions({
      onSuccess: ({ isTwoFactorDue }) => window.location.assign(isTwoFactorDue ? '/app/account' : '/app'),
    }),
  );
  if (received.data === undefined || received.data.length === 0) {
    return null;
  }
  return (
    <Card title="Invitations" description="You can belong to several organizations.">
      {accept.error === null ? null : (
        <div className="mb-4">
          <FailureNotice error={accept.error} />
        </div>
      )}
      <ul className="flex flex-col gap-3">
        {received.data.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0 text-sm">
              <p className="break-words font-medium text-ink">{invitation.organizationName}</p>
              <p className="text-ink-3 text-xs leading-5 [overflow-wrap:anywhere]">
                {ROLE_TEXTS[invitation.role].label}, invited by {invitation.inviterEmail}
              </p>
            </div>
            {invitation.needsLink ? (
              <p className="max-w-56 text-ink-2 text-xs leading-5">
                To accept this role, open the link in the invitation email.
              </p>
            ) : (
              <Button
                variant="primary"
                size="sm"
                pending={accept.isPending}
                onClick={() => accept.mutate({ invitationId: invitation.id })}
                aria-label={`Accept the invitation to ${invitation.organizationName}`}
              >
                Accept
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
