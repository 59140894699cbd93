'use client';

import { Badge, Button, Card, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DataTable } from '../../lib/table';
import { FailureNotice, QueryState, useTRPC } from '../../lib/trpc';
import { deviceOf } from './device-of';

/** The account's active sessions. */
export function SessionsCard() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const sessions = useQuery(trpc.account.sessions.queryOptions());
  const revoke = useMutation(
    trpc.account.revokeSession.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
        toast({ title: 'Session ended' });
      },
    }),
  );
  return (
    <Card
      title="Sessions"
      description="Devices that are signed in to your account. If you don’t recognize one, end its session and change your password."
      flush
    >
      {revoke.error === null ? null : (
        <div className="p-4">
          <FailureNotice error={revoke.error} />
        </div>
      )}
      <QueryState query={sessions} label="Loading sessions" rows={2}>
        {(list) => (
          <DataTable
            label="Sessions"
            noun="session"
            isPlain
            rows={list}
            rowKey={({ id }) => id}
            actions={({ id, isCurrent }) =>
              isCurrent ? (
                <Badge tone="ok">This session</Badge>
              ) : (
                <Button
                  size="sm"
                  pending={revoke.isPending && revoke.variables.sessionId === id}
                  onClick={() => revoke.mutate({ sessionId: id })}
                >
                  End
                </Button>
              )
            }
            actionsPlace={{ stack: 'aside' }}
            columns={[
              {
                key: 'device',
                header: 'Device',
                stack: 'title',
                className: 'font-medium text-ink',
                value: ({ userAgent }) => deviceOf(userAgent),
                cell: ({ userAgent }) => <span title={userAgent ?? undefined}>{deviceOf(userAgent)}</span>,
              },
              {
                key: 'address',
                header: 'IP address',
                className: 'nums whitespace-nowrap',
                value: ({ address }) => address,
                none: 'Unknown',
              },
              { key: 'signed-in', header: 'Signed in', label: 'Signed in', value: ({ createdAt }) => createdAt },
            ]}
          />
        )}
      </QueryState>
    </Card>
  );
}
