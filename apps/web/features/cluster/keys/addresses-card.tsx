'use client';

import { Badge, Button, Card, EmptyState, Switch, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Network } from 'lucide-react';
import { useId } from 'react';
import { useMay } from '../../../lib/session';
import { DataTable } from '../../../lib/table';
import { DateTime } from '../../../lib/time';
import { FailureNotice, QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { useCluster } from '../cluster-frame';
import { useRefreshCluster } from '../settings/use-refresh-cluster';

type AgentAddress = RouterOutputs['agentKey']['listAddresses'][number];

const STATES = {
  learned: { tone: 'ok', label: 'Learned' },
  confirmed: { tone: 'ok', label: 'Confirmed' },
  pending: { tone: 'warn', label: 'Waits for confirmation' },
  refused: { tone: 'warn', label: 'Refused' },
} as const;

/** Agents wait while nobody confirms their address, so it appears soon. */
const REFRESH_MS = 5_000;

/** The hosts that agents advertise. Clients are sent only to those that are known. */
export function AddressesCard({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const mayWrite = useMay()('agent-key:write');
  const addresses = useQuery({
    ...trpc.agentKey.listAddresses.queryOptions({ clusterId }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Card
      title="Agent addresses"
      description="Clients are sent to agents at known addresses only, so a leaked key can’t lead them elsewhere."
      flush
    >
      <ConfirmSwitch />
      <QueryState
        query={addresses}
        label="Loading agent addresses"
        rows={2}
        empty={
          <EmptyState icon={<Network />} title="No addresses yet">
            The addresses of your agents appear here when they register. Addresses that match those of a key don’t need
            confirmation and aren’t listed.
          </EmptyState>
        }
      >
        {(list) => <AddressTable clusterId={clusterId} addresses={list} mayWrite={mayWrite} />}
      </QueryState>
    </Card>
  );
}

function ConfirmSwitch() {
  const trpc = useTRPC();
  const cluster = useCluster();
  const refresh = useRefreshCluster();
  const toast = useToast();
  const mayWrite = useMay()('cluster:write');
  const labelId = useId();
  const hintId = useId();
  const from = cluster.confirmAgentAddressesFrom;
  const isLearning = cluster.confirmAgentAddresses && (from === null || from.getTime() > Date.now());
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess: async (updated) => {
        await refresh(updated.id);
        toast({ title: updated.confirmAgentAddresses ? 'New addresses wait for you' : 'New addresses are accepted' });
      },
    }),
  );
  return (
    <div className="flex flex-col gap-3 border-line border-b px-4 py-4 sm:px-5">
      <div className="flex items-start justify-between gap-6">
        <div>
          <p id={labelId} className="font-medium text-ink text-sm">
            Confirm new addresses
          </p>
          <p id={hintId} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
            {isLearning ? (
              from === null ? (
                'A new cluster accepts all addresses for a day after its first agent. Then an agent with a new address waits until you confirm it.'
              ) : (
                <>
                  All addresses are accepted until <DateTime timeMs={from.getTime()} />. Then an agent with a new
                  address waits until you confirm it.
                </>
              )
            ) : (
              'An agent with a new address waits until you confirm it, unless the address is one of its key’s.'
            )}
          </p>
        </div>
        {mayWrite ? (
          <Switch
            checked={cluster.confirmAgentAddresses}
            disabled={update.isPending}
            onCheckedChange={(confirmAgentAddresses) => update.mutate({ clusterId: cluster.id, confirmAgentAddresses })}
            aria-labelledby={labelId}
            aria-describedby={hintId}
          />
        ) : null}
      </div>
      {isLearning && mayWrite ? (
        <div>
          <Button
            size="sm"
            pending={update.isPending}
            onClick={() => update.mutate({ clusterId: cluster.id, confirmAgentAddresses: true })}
          >
            Confirm from now on
          </Button>
        </div>
      ) : null}
      {update.error === null ? null : <FailureNotice error={update.error} />}
    </div>
  );
}

interface AddressTableProps {
  clusterId: string;
  addresses: readonly AgentAddress[];
  mayWrite: boolean;
}

function AddressTable({ clusterId, addresses, mayWrite }: AddressTableProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries(trpc.agentKey.listAddresses.queryFilter({ clusterId }));
  const confirm = useMutation(
    trpc.agentKey.confirmAddress.mutationOptions({
      onSuccess: async ({ host }) => {
        await reload();
        toast({ title: `${host} confirmed`, description: 'Agents that wait there join within seconds.' });
      },
    }),
  );
  const remove = useMutation(
    trpc.agentKey.removeAddress.mutationOptions({
      onSuccess: async ({ host }) => {
        await reload();
        toast({ title: `${host} removed` });
      },
    }),
  );
  const error = confirm.error ?? remove.error;
  return (
    <>
      {error === null ? null : (
        <div className="p-4">
          <FailureNotice error={error} />
        </div>
      )}
      <DataTable
        label="Agent addresses"
        noun="address"
        plural="addresses"
        address="addresses"
        filterBy="address"
        rows={addresses}
        rowKey={({ host }) => host}
        actions={({ host, state }) =>
          mayWrite ? (
            <span className="inline-flex gap-2">
              {state === 'pending' ? (
                <Button
                  size="sm"
                  onClick={() => confirm.mutate({ clusterId, host })}
                  aria-label={`Confirm address ${host}`}
                >
                  Confirm
                </Button>
              ) : null}
              <Button
                size="sm"
                variant="quiet"
                onClick={() => remove.mutate({ clusterId, host })}
                aria-label={`Remove address ${host}`}
              >
                Remove
              </Button>
            </span>
          ) : null
        }
        columns={[
          {
            key: 'address',
            header: 'Address',
            stack: 'title',
            className: 'break-all font-mono text-xs',
            value: ({ host }) => host,
            search: 'value',
          },
          {
            key: 'state',
            header: 'State',
            stack: 'aside',
            value: ({ state }) => STATES[state].label,
            cell: ({ state }) => (
              <Badge tone={STATES[state].tone} dot>
                {STATES[state].label}
              </Badge>
            ),
          },
          { key: 'key', header: 'Key', label: 'Key', value: ({ agentKeyName }) => agentKeyName, none: 'none' },
          { key: 'first', header: 'First seen', label: 'First seen', value: ({ firstSeenAt }) => firstSeenAt },
          {
            key: 'last',
            header: 'Last seen',
            label: 'Last seen',
            value: ({ lastSeenAt }) => lastSeenAt,
            none: 'never',
            isAgo: true,
          },
        ]}
      />
    </>
  );
}
