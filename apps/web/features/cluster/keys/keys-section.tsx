'use client';

import { ActionsTh, Badge, Button, Card, EmptyState, SkeletonRows, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../lib/forms';
import { useMay } from '../../../lib/session';
import { Ago, DateTime } from '../../../lib/time';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { CreateKeyDialog } from './create-key-dialog';
import { NewKeyDialog } from './new-key-dialog';

type AgentKey = RouterOutputs['agentKey']['list'][number];

export function KeysSection({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const mayWrite = useMay()('agent-key:write');
  const keys = useQuery(trpc.agentKey.list.queryOptions({ clusterId }));
  const [isCreating, setIsCreating] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<AgentKey | null>(null);
  const createButton = (
    <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <Card
        title="Agent keys"
        description="Agents use a key to access this cluster. We store only the key’s hash."
        {...(!mayWrite || keys.data === undefined || keys.data.length === 0 ? {} : { actions: createButton })}
        flush
      >
        {keys.data === undefined ? (
          keys.error === null ? (
            <SkeletonRows rows={3} label="Loading agent keys" />
          ) : (
            <div className="p-4">
              <FailureNotice error={keys.error} onRetry={() => void keys.refetch()} />
            </div>
          )
        ) : keys.data.length === 0 ? (
          <EmptyState icon={<KeyRound />} title="No keys yet" action={mayWrite ? createButton : undefined}>
            An agent authenticates with a key. Create one key for each place where you run agents so that you can revoke
            each one separately.
          </EmptyState>
        ) : (
          <KeyTable keys={keys.data} onRevoke={mayWrite ? setRevoking : null} />
        )}
      </Card>
      <CreateKeyDialog
        clusterId={clusterId}
        open={isCreating}
        onOpenChange={setIsCreating}
        onCreated={(plaintext) => {
          setIsCreating(false);
          setNewKey(plaintext);
        }}
      />
      <NewKeyDialog clusterId={clusterId} plaintext={newKey} onClose={() => setNewKey(null)} />
      <RevokeKeyDialog clusterId={clusterId} agentKey={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function KeyTable({ keys, onRevoke }: { keys: readonly AgentKey[]; onRevoke: ((key: AgentKey) => void) | null }) {
  return (
    <Table label="Agent keys" stacks>
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Key</Th>
          <Th>State</Th>
          <Th>Last used</Th>
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
              {key.revokedAt === null ? (
                <Badge tone="ok" dot>
                  Active
                </Badge>
              ) : (
                <Badge dot>Revoked</Badge>
              )}
            </Td>
            <Td label="Used">
              {key.lastUsedAt === null ? (
                <span className="text-ink-3">never</span>
              ) : (
                <Ago timeMs={key.lastUsedAt.getTime()} />
              )}
            </Td>
            <Td label="Created">
              <DateTime timeMs={key.createdAt.getTime()} />
            </Td>
            <Td className="text-right" stack="foot">
              {key.revokedAt === null ? (
                onRevoke === null ? null : (
                  <Button size="sm" variant="quiet" onClick={() => onRevoke(key)} aria-label={`Revoke key ${key.name}`}>
                    Revoke
                  </Button>
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
