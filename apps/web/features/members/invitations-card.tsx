'use client';

import { type Role, rolesWithinReach } from '@penstock/tenancy/permissions';
import { ActionsTh, Button, Card, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ROLE_TEXTS } from '../../lib/roles';
import { DateTime } from '../../lib/time';
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
      <Table label="Open invitations" stacks>
        <thead>
          <tr>
            <Th>Email</Th>
            <Th>Role</Th>
            <Th>Invited by</Th>
            <Th>Expires</Th>
            <ActionsTh />
          </tr>
        </thead>
        <tbody>
          {invitations.data.map((invitation) => (
            <Tr key={invitation.id}>
              <Td className="min-w-44 font-medium text-ink [overflow-wrap:anywhere]" stack="title">
                {invitation.email}
              </Td>
              <Td>{ROLE_TEXTS[invitation.role].label}</Td>
              <Td className="[overflow-wrap:anywhere]" label="Invited by">
                {invitation.inviterEmail}
              </Td>
              <Td label="Expires">
                <DateTime timeMs={invitation.expiresAt.getTime()} />
              </Td>
              <Td className="text-right" stack="aside">
                {reach.includes(invitation.role) ? (
                  <Button
                    size="sm"
                    variant="quiet"
                    pending={revoke.isPending && revoke.variables.invitationId === invitation.id}
                    onClick={() => revoke.mutate({ invitationId: invitation.id })}
                    aria-label={`Revoke invitation for ${invitation.email}`}
                  >
                    Revoke
                  </Button>
                ) : null}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
