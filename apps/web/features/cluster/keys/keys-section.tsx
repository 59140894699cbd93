'use client';

import { Badge, Button, Card, EmptyState, type Tone, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../lib/forms';
import { useMay } from '../../../lib/session';
import { DataTable } from '../../../lib/table';
import { Ago, DateTime, useNow } from '../../../lib/time';
import { QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { AddressesCard } from './addresses-card';
import { CreateKeyDialog, type NewAgentKey } from './create-key-dialog';
import { EditKeyDialog } from './edit-key-dialog';
import { scopeLabel } from './key-limits';
import { NewKeyDialog } from './new-key-dialog';

type AgentKey = RouterOutputs['agentKey']['list'][number];

export function KeysSection({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const mayWrite = useMay()('agent-key:write');
  const keys = useQuery(trpc.agentKey.list.queryOptions({ clusterId }));
  const [isCreating, setIsCreating] = useState(false);
  const [newKey, setNewKey] = useState<NewAgentKey | null>(null);
  const [revoking, setRevoking] = useState<AgentKey | null>(null);
  const [editing, setEditing] = useState<AgentKey | null>(null);
  const createButton = (
    <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Agent keys"
        description="Agents use a key to access this cluster. We store only the key’s hash. If an agent only runs jobs or only serves consumers, edit its key to narrow the scope."
        {...(!mayWrite || keys.data === undefined || keys.data.length === 0 ? {} : { actions: createButton })}
        flush
      >
        <QueryState
          query={keys}
          label="Loading agent keys"
          empty={
            <EmptyState icon={<KeyRound />} title="No keys yet" action={mayWrite ? createButton : undefined}>
              An agent authenticates with a key. Create one key for each place where you run agents so that you can
              revoke each one separately.
            </EmptyState>
          }
        >
          {(list) => (
            <KeyTable keys={list} onEdit={mayWrite ? setEditing : null} onRevoke={mayWrite ? setRevoking : null} />
          )}
        </QueryState>
      </Card>
      <AddressesCard clusterId={clusterId} />
      <EditKeyDialog clusterId={clusterId} agentKey={editing} onClose={() => setEditing(null)} />
      <CreateKeyDialog
        clusterId={clusterId}
        open={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(created) => {
          setIsCreating(false);
          setNewKey(created);
        }}
      />
      <NewKeyDialog clusterId={clusterId} created={newKey} onClose={() => setNewKey(null)} />
      <RevokeKeyDialog clusterId={clusterId} agentKey={revoking} onClose={() => setRevoking(null)} />
    </div>
  );
}

interface KeyTableProps {
  keys: readonly AgentKey[];
  onEdit: ((key: AgentKey) => void) | null;
  onRevoke: ((key: AgentKey) => void) | null;
}

function KeyTable({ keys, onEdit, onRevoke }: KeyTableProps) {
  const nowMs = useNow();
  return (
    <DataTable
      label="Agent keys"
      noun="key"
      address="keys"
      filterBy="name"
      rows={keys}
      rowKey={({ id }) => id}
      actions={(key) =>
        key.revokedAt !== null ? (
          <span className="whitespace-nowrap text-ink-3 text-xs">
            Revoked <Ago timeMs={key.revokedAt.getTime()} />
          </span>
        ) : onRevoke === null || onEdit === null ? null : (
          <span className="inline-flex gap-2">
            <Button size="sm" variant="quiet" onClick={() => onEdit(key)} aria-label={`Edit key ${key.name}`}>
              Edit
            </Button>
            <Button size="sm" variant="quiet" onClick={() => onRevoke(key)} aria-label={`Revoke key ${key.name}`}>
              Revoke
            </Button>
          </span>
        )
      }
      columns={[
        {
          key: 'name',
          header: 'Name',
          stack: 'title',
          className: 'font-medium text-ink',
          value: ({ name }) => name,
          search: 'value',
        },
        {
          key: 'key',
          header: 'Key',
          className: 'whitespace-nowrap font-mono text-xs',
          value: ({ displayPrefix, displayLast4 }) => `${displayPrefix}…${displayLast4}`,
        },
        {
          key: 'state',
          header: 'State',
          stack: 'aside',
          value: (key) => stateOf(key, nowMs).label,
          cell: (key) => {
            const { tone, label } = stateOf(key, nowMs);
            return (
              <Badge tone={tone} dot>
                {label}
              </Badge>
            );
          },
        },
        { key: 'scope', header: 'Scope', label: 'Scope', value: ({ scope }) => scopeLabel(scope) },
        {
          key: 'used',
          header: 'Last used',
          label: 'Used',
          value: ({ lastUsedAt }) => lastUsedAt,
          cell: ({ lastUsedAt, lastAddress }) =>
            lastUsedAt === null ? (
              <span className="text-ink-3">never</span>
            ) : (
              <>
                <Ago timeMs={lastUsedAt.getTime()} />
                {lastAddress === null ? null : (
                  <span className="block font-mono text-ink-3 text-xs">{lastAddress}</span>
                )}
              </>
            ),
        },
        { key: 'limits', header: 'Limits', label: 'Limits', cell: (key) => <KeyLimits agentKey={key} /> },
        { key: 'created', header: 'Created', label: 'Created', value: ({ createdAt }) => createdAt },
      ]}
    />
  );
}

function stateOf({ revokedAt, expiresAt }: AgentKey, nowMs: number): { tone: Tone; label: string } {
  if (revokedAt !== null) {
    return { tone: 'neutral', label: 'Revoked' };
  }
  return expiresAt !== null && expiresAt.getTime() <= nowMs
    ? { tone: 'warn', label: 'Expired' }
    : { tone: 'ok', label: 'Active' };
}

function KeyLimits({ agentKey: { expiresAt, networks, addresses } }: { agentKey: AgentKey }) {
  if (expiresAt === null && networks.length + addresses.length === 0) {
    return <span className="text-ink-3">none</span>;
  }
  return (
    <span className="flex flex-col gap-0.5 text-xs">
      {expiresAt === null ? null : (
        <span>
          Expires <DateTime timeMs={expiresAt.getTime()} />
        </span>
      )}
      {networks.length === 0 ? null : <span>From {networks.join(', ')}</span>}
      {addresses.length === 0 ? null : <span>Advertises {addresses.join(', ')}</span>}
    </span>
  );
}

interface RevokeKeyDialogProps {
  clusterId: string;
  agentKey: AgentKey | null;
  onClose: () => void;
}

function RevokeKeyDialog({ clusterId, agentKey, onClose }: RevokeKeyDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const revoke = useMutation(
    trpc.agentKey.revoke.mutationOptions({
      onSuccess: async (key) => {
        await queryClient.invalidateQueries(trpc.agentKey.list.queryFilter({ clusterId }));
        toast({ title: `Key “${key.name}” revoked`, description: 'Agents that use it can no longer connect.' });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={agentKey !== null}
      title="Revoke this key?"
      expected={agentKey?.name ?? ''}
      labels={['Revoke key', 'Revoking…']}
      onClose={onClose}
      onConfirm={async () => {
        if (agentKey !== null) {
          await revoke.mutateAsync({ agentKeyId: agentKey.id });
        }
      }}
    >
      Agents that use this key lose access within seconds. Their clients fail over to agents with another key, if there
      are any. You can’t undo this.
    </ConfirmDialog>
  );
}
