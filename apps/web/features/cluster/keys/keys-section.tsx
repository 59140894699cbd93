'use client';

import { ActionsTh, Badge, Button, Card, EmptyState, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../lib/forms';
import { useMay } from '../../../lib/session';
import { Ago, DateTime } from '../../../lib/time';
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
        onOpenChange={setIsCreating}
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
  return (
    <Table label="Agent keys" stacks>
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Key</Th>
          <Th>State</Th>
          <Th>Scope</Th>
          <Th>Last used</Th>
          <Th>Limits</Th>
          <Th>Created</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Tr key={key.id}>
            <Td className="font-medium text-ink" stack="title">
              {key.name}
            </Td>
            <Td className="whitespace-nowrap font-mono text-xs">
              {key.displayPrefix}…{key.displayLast4}
            </Td>
            <Td stack="aside">
              {key.revokedAt !== null ? (
                <Badge dot>Revoked</Badge>
              ) : key.expiresAt !== null && key.expiresAt.getTime() <= Date.now() ? (
                <Badge tone="warn" dot>
                  Expired
                </Badge>
              ) : (
                <Badge tone="ok" dot>
                  Active
                </Badge>
              )}
            </Td>
            <Td label="Scope">{scopeLabel(key.scope)}</Td>
            <Td label="Used">
              {key.lastUsedAt === null ? (
                <span className="text-ink-3">never</span>
              ) : (
                <>
                  <Ago timeMs={key.lastUsedAt.getTime()} />
                  {key.lastAddress === null ? null : (
                    <span className="block font-mono text-ink-3 text-xs">{key.lastAddress}</span>
                  )}
                </>
              )}
            </Td>
            <Td label="Limits">
              <KeyLimits agentKey={key} />
            </Td>
            <Td label="Created">
              <DateTime timeMs={key.createdAt.getTime()} />
            </Td>
            <Td className="text-right" stack="foot">
              {key.revokedAt === null ? (
                onRevoke === null || onEdit === null ? null : (
                  <span className="inline-flex gap-2">
                    <Button size="sm" variant="quiet" onClick={() => onEdit(key)} aria-label={`Edit key ${key.name}`}>
                      Edit
                    </Button>
                    <Button
                      size="sm"
                      variant="quiet"
                      onClick={() => onRevoke(key)}
                      aria-label={`Revoke key ${key.name}`}
                    >
                      Revoke
                    </Button>
                  </span>
                )
              ) : (
                <span className="whitespace-nowrap text-ink-3 text-xs">
                  Revoked <Ago timeMs={key.revokedAt.getTime()} />
                </span>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
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
      mutation={revoke}
      onClose={onClose}
      onConfirm={() => {
        if (agentKey !== null) {
          revoke.mutate({ agentKeyId: agentKey.id });
        }
      }}
    >
      Agents that use this key lose access within seconds. Their clients fail over to agents with another key, if there
      are any. You can’t undo this.
    </ConfirmDialog>
  );
}
