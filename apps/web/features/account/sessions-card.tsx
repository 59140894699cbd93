'use client';

import { ActionsTh, Badge, Button, Card, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DateTime } from '../../lib/time';
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
          <Table label="Sessions" stacks>
            <thead>
              <tr>
                <Th>Device</Th>
                <Th>IP address</Th>
                <Th>Signed in</Th>
                <ActionsTh />
              </tr>
            </thead>
            <tbody>
              {list.map((session) => (
                <Tr key={session.id}>
                  <Td stack="title" className="font-medium text-ink" title={session.userAgent ?? undefined}>
                    {deviceOf(session.userAgent)}
                  </Td>
                  <Td className="nums whitespace-nowrap">{session.address ?? 'Unknown'}</Td>
                  <Td label="Signed in">
                    <DateTime timeMs={session.createdAt.getTime()} />
                  </Td>
                  <Td className="text-right" stack="aside">
                    {session.isCurrent ? (
                      <Badge tone="ok">This session</Badge>
                    ) : (
                      <Button
                        size="sm"
                        pending={revoke.isPending && revoke.variables.sessionId === session.id}
                        onClick={() => revoke.mutate({ sessionId: session.id })}
                      >
                        End
                      </Button>
                    )}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </QueryState>
    </Card>
  );
}
