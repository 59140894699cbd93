'use client';

import { type Role, rolesWithinReach } from '@penstock/tenancy/permissions';
import { Button, Card, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ROLE_TEXTS } from '../../lib/roles';
import { DataTable } from '../../lib/table';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { useRefreshMembers } from './use-refresh-members';

/** Pending invitations. Renders nothing when there are none. */
export function InvitationsCard({ ownRole }: { ownRole: Role }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshMembers();
  const reach = rolesWithinReach(ownRole);
  const invitations = useQuery(trpc.invitation.list.queryOptions());
  const revoke = useMutation(
    trpc.invitation.revoke.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: 'Invitation revoked', description: 'Its link no longer works.' });
      },
    }),
  );
  if (invitations.error !== null) {
    return <FailureNotice error={invitations.error} onRetry={() => void invitations.refetch()} />;
  }
  if (invitations.data === undefined || invitations.data.length === 0) {
    return null;
  }
  return (
    <Card title="Pending invitations" description="Sent but not accepted yet." flush>
      {revoke.error === null ? null : (
        <div className="p-4">
          <FailureNotice error={revoke.error} />
        </div>
      )}
      <DataTable
        label="Open invitations"
        noun="invitation"
        isPlain
        rows={invitations.data}
        rowKey={({ id }) => id}
        actions={({ id, email, role }) =>
          reach.includes(role) ? (
            <Button
              size="sm"
              variant="quiet"
              pending={revoke.isPending && revoke.variables.invitationId === id}
              onClick={() => revoke.mutate({ invitationId: id })}
              aria-label={`Revoke invitation for ${email}`}
            >
              Revoke
            </Button>
          ) : null
        }
        actionsPlace={{ stack: 'aside' }}
        columns={[
          {
            key: 'email',
            header: 'Email',
            stack: 'title',
            className: 'min-w-44 font-medium text-ink [overflow-wrap:anywhere]',
            value: ({ email }) => email,
          },
          { key: 'role', header: 'Role', value: ({ role }) => ROLE_TEXTS[role].label },
          {
            key: 'inviter',
            header: 'Invited by',
            label: 'Invited by',
            className: '[overflow-wrap:anywhere]',
            value: ({ inviterEmail }) => inviterEmail,
          },
          { key: 'expires', header: 'Expires', label: 'Expires', value: ({ expiresAt }) => expiresAt },
        ]}
      />
    </Card>
  );
}
