'use client';

import { Badge, Button, Card, EmptyState, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../lib/forms';
import { useMay } from '../../../lib/session';
import { DataTable } from '../../../lib/table';
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
        onClose={() => setIsCreating(false)}
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
    <DataTable
      label="Users"
      noun="user"
      address="users"
      filterBy="name"
      rows={users}
      rowKey={({ user }) => user}
      actions={({ user }) =>
        onDelete === null ? null : (
          <Button size="sm" variant="quiet" onClick={() => onDelete(user)} aria-label={`Delete user ${user}`}>
            Delete
          </Button>
        )
      }
      columns={[
        {
          key: 'user',
          header: 'User',
          stack: 'title',
          className: 'break-all font-medium text-ink',
          value: ({ user }) => user,
          search: 'value',
        },
        {
          key: 'mechanisms',
          header: 'Mechanisms',
          className: 'font-mono text-xs',
          value: ({ credentials }) => credentials.map(({ mechanism }) => mechanism).join(', '),
        },
        {
          key: 'created',
          header: 'Created',
          label: 'Created',
          value: ({ credentials }) => new Date(Math.max(...credentials.map(({ createdAt }) => createdAt.getTime()))),
        },
        {
          key: 'expires',
          header: 'Expires',
          label: 'Expires',
          value: expiryOf,
          cell: (user) => <Expiry expiresAt={expiryOf(user)} nowMs={nowMs} />,
        },
        {
          key: 'used',
          header: 'Last used',
          label: 'Last used',
          value: (user) => latestUse(user)?.at ?? null,
          cell: (user) => <LastUse use={latestUse(user)} />,
        },
      ]}
    />
  );
}

/** When the last credential of the user expires; null for never. */
function expiryOf({ credentials }: ClusterUser): Date | null {
  const lastMs = Math.max(...credentials.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
  return lastMs === Number.POSITIVE_INFINITY ? null : new Date(lastMs);
}

function Expiry({ expiresAt, nowMs }: { expiresAt: Date | null; nowMs: number }) {
  if (expiresAt === null) {
    return <span className="text-ink-3">never</span>;
  }
  return expiresAt.getTime() <= nowMs ? <Badge dot>Expired</Badge> : <DateTime timeMs={expiresAt.getTime()} />;
}

interface Use {
  at: Date;
  from: string | null;
}

/** When and from where a client last used one of the user’s credentials. */
function latestUse({ credentials }: ClusterUser): Use | undefined {
  const [latest] = credentials
    .flatMap(({ lastUsedAt, lastUsedFrom }) => (lastUsedAt === null ? [] : [{ at: lastUsedAt, from: lastUsedFrom }]))
    .sort((left, right) => right.at.getTime() - left.at.getTime());
  return latest;
}

function LastUse({ use }: { use: Use | undefined }) {
  return use === undefined ? (
    <span className="text-ink-3">never</span>
  ) : (
    <>
      <Ago timeMs={use.at.getTime()} /> <span className="text-ink-3">from {use.from}</span>
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
      onClose={onClose}
      onConfirm={async () => {
        if (user !== null) {
          await remove.mutateAsync({ clusterId, user });
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
