'use client';

import { Badge, Button, Card, SkeletonRows, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authClient } from '../auth';
import { ReceivedInvitations } from '../invitation';
import { useSession } from '../session';
import { PageHeader } from '../shell';
import { DateTime } from '../time';
import { FailureNotice } from '../trpc';
import { ChangePasswordCard } from './change-password-card';

const SESSIONS_KEY = ['account', 'sessions'] as const;

type SessionRow = { token: string; userAgent: string; ipAddress: string; createdAtMs: number; isCurrent: boolean };

async function loadSessions(): Promise<SessionRow[]> {
  const [listed, current] = await Promise.all([authClient.listSessions(), authClient.getSession()]);
  if (listed.error !== null || current.error !== null) {
    throw new Error('The sessions could not be loaded.', { cause: listed.error ?? current.error });
  }
  return listed.data.map((session) => ({
    token: session.token,
    userAgent: session.userAgent ?? 'unknown device',
    ipAddress: session.ipAddress ?? 'unknown address',
    createdAtMs: new Date(session.createdAt).getTime(),
    isCurrent: session.id === current.data?.session.id,
  }));
}

export function AccountPage() {
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Account" description={`${user.name}, ${user.email}`} />
      <div className="flex max-w-3xl flex-col gap-4">
        <ReceivedInvitations />
        <SessionsCard />
        <ChangePasswordCard />
      </div>
    </>
  );
}

function SessionsCard() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const sessions = useQuery({ queryKey: SESSIONS_KEY, queryFn: loadSessions });
  const revoke = useMutation({
    mutationFn: async (token: string) => {
      const { error } = await authClient.revokeSession({ token });
      if (error !== null) {
        throw new Error('The session could not be ended.', { cause: error });
      }
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: SESSIONS_KEY });
      toast({ title: 'The session has ended' });
    },
  });
  return (
    <Card
      title="Sessions"
      description="Where you are signed in. End one that you do not recognize, then change your password."
      flush
    >
      {revoke.error === null ? null : (
        <div className="p-4">
          <FailureNotice error={revoke.error} />
        </div>
      )}
      {sessions.data === undefined ? (
        sessions.error === null ? (
          <SkeletonRows rows={2} label="Loading sessions" />
        ) : (
          <div className="p-4">
            <FailureNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
          </div>
        )
      ) : (
        <Table label="Sessions">
          <thead>
            <tr>
              <Th>Device</Th>
              <Th>Address</Th>
              <Th>Signed in</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {sessions.data.map((session) => (
              <Tr key={session.token}>
                <Td className="max-w-64">
                  <span className="line-clamp-2 break-words">{session.userAgent}</span>
                </Td>
                <Td className="nums whitespace-nowrap">{session.ipAddress}</Td>
                <Td>
                  <DateTime timeMs={session.createdAtMs} />
                </Td>
                <Td className="text-right">
                  {session.isCurrent ? (
                    <Badge tone="ok">This one</Badge>
                  ) : (
                    <Button
                      size="sm"
                      pending={revoke.isPending && revoke.variables === session.token}
                      onClick={() => revoke.mutate(session.token)}
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
    </Card>
  );
}
