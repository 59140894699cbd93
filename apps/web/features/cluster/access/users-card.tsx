'use client';

import { ActionsTh, Badge, Button, Card, EmptyState, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../lib/forms';
import { useMay } from '../../../lib/session';
import { Ago, DateTime } from '../../../lib/time';
import { QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { CreateUserDialog } from './create-user-dialog';
import { NewUserDialog } from './new-user-dialog';
import type { SignIn } from './sign-in.types';

type ClusterUser = RouterOutputs['access']['listUsers'][number];

interface UsersCardProps {
  clusterId: string;
  /** Whether clients must sign in as soon as there is a user. */
  locksOutOthers: boolean;
}

export function UsersCard({ clusterId, locksOutOthers }: UsersCardProps) {
  const trpc = useTRPC();
  const mayWrite = useMay()('access:write');
  const users = useQuery(trpc.access.listUsers.queryOptions({ clusterId }));
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<SignIn | null>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const createButton = (
    <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Create user
    </Button>
  );
  return (
    <>
      <Card
        title="Users"
        description="Kafka clients sign in with a user’s password. Passwords stay in your browser; we store SCRAM verifiers."
        {...(!mayWrite || users.data === undefined || users.data.length === 0 ? {} : { actions: createButton })}
        flush
      >
        <QueryState
          query={users}
          label="Loading users"
          empty={
            <EmptyState icon={<Users />} title="No users yet" action={mayWrite ? createButton : undefined}>
              Create one user for each application, so that you can revoke each one separately.
            </EmptyState>
          }
        >
          {(list) => <UserTable users={list} onDelete={mayWrite ? setDeleting : null} />}
        </QueryState>
      </Card>
      <CreateUserDialog
        clusterId={clusterId}
        locksOutOthers={locksOutOthers && users.data?.length === 0}
        open={isCreating}
        onOpenChange={setIsCreating}
        onCreated={(signIn) => {
          setIsCreating(false);
          setCreated(signIn);
        }}
      />
      <NewUserDialog signIn={created} onClose={() => setCreated(null)} />
      <DeleteUserDialog
        clusterId={clusterId}
        user={deleting}
        isLast={users.data?.length === 1}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

function UserTable({ users, onDelete }: { users: readonly ClusterUser[]; onDelete: ((user: string) => void) | null }) {
  const nowMs = Date.now();
  return (
    <Table label="Users" stacks>
      <thead>
        <tr>
          <Th>User</Th>
          <Th>Mechanisms</Th>
          <Th>Created</Th>
          <Th>Expires</Th>
          <Th>Last used</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {users.map(({ user, credentials }) => (
          <Tr key={user}>
            <Td className="break-all font-medium text-ink" stack="title">
              {user}
            </Td>
            <Td className="font-mono text-xs">{credentials.map(({ mechanism }) => mechanism).join(', ')}</Td>
            <Td label="Created">
              <DateTime timeMs={Math.max(...credentials.map(({ createdAt }) => createdAt.getTime()))} />
            </Td>
            <Td label="Expires">
              <Expiry credentials={credentials} nowMs={nowMs} />
            </Td>
            <Td label="Last used">
              <LastUse credentials={credentials} />
            </Td>
            <Td className="text-right" stack="foot">
              {onDelete === null ? null : (
                <Button size="sm" variant="quiet" onClick={() => onDelete(user)} aria-label={`Delete user ${user}`}>
                  Delete
                </Button>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** When the last credential of the user expires. */
function Expiry({ credentials, nowMs }: { credentials: ClusterUser['credentials']; nowMs: number }) {
  const times = credentials.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  const lastMs = Math.max(...times);
  if (lastMs === Number.POSITIVE_INFINITY) {
    return <span className="text-ink-3">never</span>;
  }
  return lastMs <= nowMs ? <Badge dot>Expired</Badge> : <DateTime timeMs={lastMs} />;
}

/** When and from where a client last used one of the user's credentials. */
function LastUse({ credentials }: { credentials: ClusterUser['credentials'] }) {
  const [latest] = credentials
    .flatMap(({ lastUsedAt, lastUsedFrom }) => (lastUsedAt === null ? [] : [{ lastUsedAt, lastUsedFrom }]))
    .sort((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
  if (latest === undefined) {
    return <span className="text-ink-3">never</span>;
  }
  return (
    <>
      <Ago timeMs={latest.lastUsedAt.getTime()} /> <span className="text-ink-3">from {latest.lastUsedFrom}</span>
    </>
  );
}

interface DeleteUserDialogProps {
  clusterId: string;
  user: string | null;
  /** Whether the cluster has no other user. */
  isLast: boolean;
  onClose: () => void;
}

function DeleteUserDialog({ clusterId, user, isLast, onClose }: DeleteUserDialogProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.access.deleteUser.mutationOptions({
      onSuccess: async (_, deleted) => {
        await queryClient.invalidateQueries(trpc.access.listUsers.queryFilter({ clusterId }));
        toast({ title: `User “${deleted.user}” deleted` });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={user !== null}
      title="Delete this user?"
      expected={user ?? ''}
      labels={['Delete user', 'Deleting…']}
      mutation={remove}
      onClose={onClose}
      onConfirm={() => {
        if (user !== null) {
          remove.mutate({ clusterId, user });
        }
      }}
    >
      Clients that sign in as this user lose access within seconds. ACLs that name the user stay. You can’t undo this.
      {isLast
        ? ' This is the last user. The cluster stays closed: no client can sign in with a password until you create a user or stop requiring authentication.'
        : null}
    </ConfirmDialog>
  );
}
